# %% [markdown]
# # Similar images by one product
#
# The squared distance of two rows is |x|^2 + |y|^2 - 2 x y. So one product, X X^T, gives the distances of all pairs of
# 1797 handwritten digits. `tw.gemm` adds the two squares while it stores the product: the bias is a row, the residual
# a matrix. The data are small integers, so every result is exact.

# %%
import matplotlib.pyplot as plt
import numpy as np
import tilewright as tw

x = np.load("../data/digits.npy")  # 1797 x 64, pixels from 0 to 16
squares = (x * x).sum(axis=1)
columns = np.broadcast_to(squares[:, None], (len(x), len(x)))
distances = tw.gemm(x, x, alpha=-2, trans_b=True, epilogue={"bias": squares, "residual": columns})
assert distances.min() == 0 and (np.diag(distances) == 0).all()

# %%
wanted = range(10)
nearest = np.argsort(distances[wanted], axis=1, kind="stable")[:, :6]  # the first one is the digit itself
figure, places = plt.subplots(6, len(wanted), figsize=(6, 4))
for column, row_of_digits in zip(places.T, nearest):
    for place, index in zip(column, row_of_digits):
        place.imshow(x[index].reshape(8, 8), cmap="gray_r", interpolation="nearest")
        place.set_axis_off()
figure.suptitle("Ten handwritten digits, and the five most similar ones below each")
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tilewright"})
figure.savefig("similar_digits.svg", metadata={"Date": None})
