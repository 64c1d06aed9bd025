// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CTAG_SHIM_H
#define PINNA_CTAG_SHIM_H

/* TagLib's headers are C++, which only CTagLib includes: this module brings the flags of pkg-config. */

#endif
