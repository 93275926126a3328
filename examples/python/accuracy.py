# %% [markdown]
# # The error of a product
#
# Each element of a product is a sum of k terms, and every addition rounds. This script compares the error with the bound
# that the library documents, gamma(k + 2) |A| |B|, for float32 and float16 matrices. A float16 product is summed in
# float32, so storing it is the largest error.

# %%
import matplotlib.pyplot as plt
import numpy as np
import tilewright as tw

numbers = np.random.default_rng(1)
lengths = [2**i for i in range(2, 14)]


def largest_error(dtype, k):
    """Returns the largest error of an element, relative to the element of |A| |B|."""
    a = numbers.uniform(-1, 1, (32, k)).astype(dtype)
    b = numbers.uniform(-1, 1, (k, 32)).astype(dtype)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    sizes = abs(a).astype(np.float64) @ abs(b).astype(np.float64)
    return (abs(tw.matmul(a, b) - exact) / sizes).max()


def gamma(n, u=2.0**-24):
    return n * u / (1 - n * u)


# %%
figure, axes = plt.subplots(figsize=(6, 4))
axes.loglog(lengths, [gamma(k + 2) for k in lengths], "k--", label="bound, float32")
for dtype, mark in ((np.float32, "o-"), (np.float16, "s-")):
    found = [largest_error(dtype, k) for k in lengths]
    axes.loglog(lengths, found, mark, label=f"largest error, {np.dtype(dtype).name}")
    if dtype == np.float32:
        assert all(error <= gamma(k + 2) for error, k in zip(found, lengths))
axes.set_xlabel("k, the number of terms")
axes.set_ylabel("error relative to |A| |B|")
axes.set_title("The error of a product")
axes.legend(loc="center left")
figure.tight_layout()
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tilewright"})
figure.savefig("accuracy.svg", metadata={"Date": None})
