// For programs that include PQP's header of this name: the type of its numbers.
#ifndef PQP_COMPILE_H
#define PQP_COMPILE_H

#include <math.h>

typedef double PQP_REAL;

#define RSS_TYPE 1
#define OBB_TYPE 2
#define PQP_BV_TYPE RSS_TYPE | OBB_TYPE

#endif
