# %% [markdown]
# # The kernels that the library chooses from
#
# `tw.explain` lists the variants of the product and why one of them is chosen. A plan can name a variant, so all of them
# can be timed on this device. The ladder in docs/ladder.md explains each one.

# %%
import time

import matplotlib.pyplot as plt
import numpy as np
import tilewright as tw

n = 256
a = np.random.default_rng(1).uniform(-1, 1, (n, n)).astype(np.float32)
why = tw.explain(a, a)
print(why["variant"], "because", why["reason"])


# %%
def plan_of(variant):
    """Returns a plan that has computed a right product; None if this device cannot run the variant."""
    try:
        plan = tw.Plan((n, n), (n, n), np.float32, variant=variant)
        result = plan(a, a)  # the first call compiles
    except tw.Error:
        return None
    assert np.allclose(result, a @ a, atol=1e-3)
    return plan


plans = {candidate["variant"]: plan_of(candidate["variant"]) for candidate in why["candidates"]}
times = {name: [] for name, plan in plans.items() if plan is not None}
c = np.empty_like(a)
for _ in range(5):  # in turns, so that what else the machine does meets all of them
    for name, found in times.items():
        began = time.perf_counter()
        while time.perf_counter() - began < 0.03:
            before = time.perf_counter()
            plans[name](a, a, c)
            found.append(time.perf_counter() - before)
rows = sorted((2e-9 * n**3 / min(found), name) for name, found in times.items())

# %%
figure, axes = plt.subplots(figsize=(6, 4))
colours = ["tab:orange" if name == why["variant"] else "tab:blue" for _, name in rows]
axes.barh([name for _, name in rows], [value for value, _ in rows], color=colours)
axes.set_xlabel("GFLOP/s, with copies to the device and back")
axes.set_title(f"float32, {n} x {n} x {n}; orange: chosen")
figure.tight_layout()
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tilewright"})
figure.savefig("kernels.svg", metadata={"Date": None})
