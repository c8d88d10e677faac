/* KITH_GUARDED is defined in builds with AddressSanitizer. Caches then free memory at once, so that uses after free are
 * reported. */
#ifndef KITH_SERVER_BASE_GUARDED_H
#define KITH_SERVER_BASE_GUARDED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KITH_GUARDED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define KITH_GUARDED 1
#endif

#endif
