"""C = A B on several processes (MPI), each with a device: SUMMA (van de Geijn and Watts, 1997).

    mpiexec -n 4 python summa.py [n] [panel]

The processes form a grid. Each owns one block of A, B and C. The product is a sum over panels: some columns of A times
the same rows of B. The owners of a panel broadcast it along their row or column of the grid, and every process adds
the product to its block of C, which stays on its device. While the device computes with one panel, the next one is
broadcast. Needs mpi4py and pyopencl.
"""

import sys
import time

import numpy as np
import pyopencl as cl
import pyopencl.array
import tilewright as tw
from mpi4py import MPI


def part(n, parts, i):
    """Returns the begin and the end of part i of n elements."""
    return n * i // parts, n * (i + 1) // parts


def owner(n, parts, index):
    return next(i for i in range(parts) if part(n, parts, i)[1] > index)


# Small integers, so that the sums are exact. A program would have its blocks of A and B in memory.
def block_of_a(rows, columns):
    i, k = np.ogrid[slice(*rows), slice(*columns)]
    return ((i + 2 * k) % 5 - 2).astype(np.float64)


def block_of_b(rows, columns):
    k, j = np.ogrid[slice(*rows), slice(*columns)]
    return ((3 * k + j) % 7 - 3).astype(np.float64)


class Grid:
    def __init__(self, world):
        self.rows, self.columns = MPI.Compute_dims(world.size, 2)
        self.row, self.column = divmod(world.rank, self.columns)
        self.along_row = world.Split(self.row, self.column)
        self.along_column = world.Split(self.column, self.row)


def own_queue(world):
    """Processes of one machine share its devices: GPUs, if there are any."""
    machine = world.Split_type(MPI.COMM_TYPE_SHARED)
    rank = machine.rank
    machine.Free()
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    best = [device for device in devices if device.type & cl.device_type.GPU] or devices
    return cl.CommandQueue(cl.Context([best[rank % len(best)]]))


def cut_panels(grid, n, width):
    """Returns panels of at most `width`, each with one owner in a row and in a column of the grid."""
    panels, k = [], 0
    while k < n:
        ends = [part(n, parts, owner(n, parts, k))[1] for parts in (grid.columns, grid.rows)]
        panels.append((k, min(k + width, *ends)))
        k = panels[-1][1]
    return panels


class Summa:
    def __init__(self, grid, queue, n, width):
        self.grid, self.queue, self.n = grid, queue, n
        self.rows, self.columns = part(n, grid.rows, grid.row), part(n, grid.columns, grid.column)
        self.panels = cut_panels(grid, n, width)
        self.c = cl.array.zeros(queue, (self.rows[1] - self.rows[0], self.columns[1] - self.columns[0]), np.float64)

    def begin_broadcast(self, panel):
        """Returns the panel's parts of A and B in host memory, and the requests after which they are complete."""
        grid, n = self.grid, self.n
        root_of_a, root_of_b = owner(n, grid.columns, panel[0]), owner(n, grid.rows, panel[0])
        width = panel[1] - panel[0]
        a, b = np.empty((self.c.shape[0], width)), np.empty((width, self.c.shape[1]))
        if grid.column == root_of_a:
            a[:] = block_of_a(self.rows, panel)
        if grid.row == root_of_b:
            b[:] = block_of_b(panel, self.columns)
        return a, b, [grid.along_row.Ibcast(a, root_of_a), grid.along_column.Ibcast(b, root_of_b)]

    def multiply(self):
        """Returns this process's block of C."""
        coming = self.begin_broadcast(self.panels[0])
        for following in [*self.panels[1:], None]:
            a, b, requests = coming
            MPI.Request.Waitall(requests)
            if self.c.size:
                # pyopencl keeps a and b until they are copied, and gemm() waits for the copies on the device.
                a, b = (cl.array.to_device(self.queue, block, async_=True) for block in (a, b))
                tw.gemm(a, b, self.c, beta=1)
                self.queue.flush()
            if following is not None:
                coming = self.begin_broadcast(following)
        return self.c.get()

    def wrong(self, c):
        """Returns the number of wrong elements."""
        everything = (0, self.n)
        return int((c != block_of_a(self.rows, everything) @ block_of_b(everything, self.columns)).sum())


def main():
    world = MPI.COMM_WORLD
    sizes = [int(text) for text in sys.argv[1:3]]
    n, width = sizes + [500, 64][len(sizes) :]
    if n <= 0 or width <= 0:
        sys.exit("usage: summa.py [n] [panel], both at least 1")
    grid = Grid(world)
    summa = Summa(grid, own_queue(world), n, width)
    began = time.perf_counter()
    c = summa.multiply()
    seconds = time.perf_counter() - began
    wrong = world.allreduce(summa.wrong(c))
    if world.rank == 0:
        print(f"{grid.rows} x {grid.columns} processes, n = {n}: {seconds:.3f} s with compiling")
        print(f"{wrong} wrong elements")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as problem:  # otherwise the other processes would wait for ever
        print(f"summa.py: {problem}", file=sys.stderr)
        MPI.COMM_WORLD.Abort(1)
