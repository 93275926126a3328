#!/usr/bin/env python3
"""Writes sparse matrices with SciPy to files, for the fuzzers' corpora and tests/tools/files/npz_test.cpp.

Usage: make_sparse_files.py    needs NumPy and SciPy; the files are committed
"""

import pathlib

import numpy
import scipy.io
import scipy.sparse

corpus = pathlib.Path(__file__).parent / "corpus"


def save_npz(name, matrix, compressed=True):
    with open(corpus / "npz" / name, "wb") as file:
        scipy.sparse.save_npz(file, matrix, compressed=compressed)


def save_mtx(name, matrix, **options):
    with open(corpus / "matrix_market" / name, "wb") as file:
        scipy.io.mmwrite(file, matrix, **options)


for folder in ("npz", "matrix_market"):
    (corpus / folder).mkdir(exist_ok=True)
dense = numpy.array([[0, 1.5, 0, -2], [0, 0, 0, 0], [4, 0.25, 0, 0]])
csr = scipy.sparse.csr_matrix(dense)
save_npz("scipy_csr", csr)
save_npz("scipy_csr_stored", csr, compressed=False)
save_npz("scipy_csr_f4", csr.astype(numpy.float32))
save_npz("scipy_csc_array", scipy.sparse.csc_array(dense))
save_npz("scipy_coo", scipy.sparse.coo_matrix(dense))
save_npz("scipy_bsr", scipy.sparse.bsr_matrix(dense))
save_npz("scipy_complex", csr.astype(complex))
save_npz("scipy_bool", scipy.sparse.csr_matrix(numpy.eye(2, dtype=bool)))
save_npz("scipy_empty", scipy.sparse.csr_matrix((0, 0)))
save_mtx("scipy_general", csr)
save_mtx("scipy_integer", csr.astype(int))
save_mtx("scipy_pattern", csr, field="pattern")
save_mtx("scipy_symmetric", csr.T @ csr)
save_mtx("scipy_skew", scipy.sparse.csr_matrix([[0, 2.0], [-2.0, 0]]), symmetry="skew-symmetric")
save_mtx("scipy_array", dense)
save_mtx("scipy_array_symmetric", dense.T @ dense)
save_mtx("scipy_complex", csr.astype(complex))
