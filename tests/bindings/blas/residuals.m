% Products, systems and factorisations in Octave; prints relative residuals.
rand("seed", 1);
a = rand(120) - 0.5; b = rand(120, 7);
printf("residual %g\n", norm(a * (a \ b) - b) / norm(b));
[l, u, p] = lu(a);
printf("residual %g\n", norm(p * a - l * u) / norm(a));
s = a' * a + eye(120);
r = chol(s);
printf("residual %g\n", norm(r' * r - s) / norm(s));
printf("residual %g\n", norm((a * a') * b - a * (a' * b)) / norm(b));
c = complex(a, rand(120));
printf("residual %g\n", norm(c * (c \ b) - b) / norm(b));
printf("residual %g\n", norm(inv(a) * a - eye(120)) / norm(inv(a)) / norm(a));
