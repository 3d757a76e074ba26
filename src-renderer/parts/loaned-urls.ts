/** Addresses of images are shared by all who draw the same one, and given back when the last of them is gone. */
import type { BytesKind } from '../../src-shared/contract.ts'
import type { ReleasableUrl, StationLink } from '../link/station-link.ts'

type CachedUrl = { readonly pending: Promise<ReleasableUrl>; users: number }

export type UrlCache = {
  /** The address, and how to give it back; the address rejects as the link does. */
  acquire(kind: BytesKind, id: string): { readonly url: Promise<string>; readonly release: () => void }
}

export function createUrlCache(link: StationLink): UrlCache {
  const entries = new Map<string, CachedUrl>()
  return {
    acquire(kind, id) {
      const key = `${kind}/${id}`
      const entry = entries.get(key) ?? { pending: link.createBytesUrl(kind, id), users: 0 }
      entries.set(key, entry)
      entry.users += 1
      // A loan that failed must not be handed to the next who asks: the bytes may be there by then.
      entry.pending.catch(() => entries.get(key) === entry && entries.delete(key))
      let isReleased = false
      return {
        url: entry.pending.then(({ url }) => url),
        release() {
          if (isReleased) return
          isReleased = true
          entry.users -= 1
          if (entry.users > 0) return
          if (entries.get(key) === entry) entries.delete(key)
          entry.pending.then(
            ({ release }) => release(),
            () => undefined,
          )
        },
      }
    },
  }
}
