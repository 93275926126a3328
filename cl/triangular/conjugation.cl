// OF_T(stored): an element of T, from an element of A.
//
//   CONJUGATED  1: T holds the conjugates of the stored elements
#ifndef CONJUGATED
#define CONJUGATED 0
#endif
#if CONJUGATED
#define OF_T(stored) conjugate(stored)
#else
#define OF_T(stored) (stored)
#endif
