#ifndef PINNA_CMYSOFA_SHIM_H
#define PINNA_CMYSOFA_SHIM_H

#include <mysofa.h>

#endif
