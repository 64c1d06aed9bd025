// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CYAML_SHIM_H
#define PINNA_CYAML_SHIM_H

#include <yaml.h>

#endif
