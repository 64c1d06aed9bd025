// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CSNDFILE_SHIM_H
#define PINNA_CSNDFILE_SHIM_H

#include <sndfile.h>
#include <string.h>

// SF_BROADCAST_INFO_VAR with the 2 KiB of coding history that Pinna ever writes.
typedef SF_BROADCAST_INFO_VAR(2048) PinnaBroadcastInfo;

#endif
