// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CCRYPTO_SHIM_H
#define PINNA_CCRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/evp.h>

#endif
