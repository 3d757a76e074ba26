import { useEffect, useState } from 'react'
import type { BytesKind } from '../../src-shared/contract.ts'
import type { StationSession } from '../store/station-session.ts'
import { useSession } from '../store/use-station.ts'
import { createUrlCache, type UrlCache } from './loaned-urls.ts'

export type BytesUrl =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'unavailable' }

const urlCaches = new WeakMap<StationSession, UrlCache>()

function urlCacheOf(session: StationSession): UrlCache {
  const cache = urlCaches.get(session) ?? createUrlCache(session.link)
  urlCaches.set(session, cache)
  return cache
}

/** An address that the image can be drawn from while the component is there; nothing is asked for while `isWanted` is false. */
export function useBytesUrl(kind: BytesKind, id: string, isWanted = true): BytesUrl {
  const session = useSession()
  const key = `${kind}/${id}`
  const [got, setGot] = useState<{ readonly of: string; readonly url: string | null } | null>(null)
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    const { url, release } = urlCacheOf(session).acquire(kind, id)
    url.then(
      (ready) => isCurrent && setGot({ of: key, url: ready }),
      () => isCurrent && setGot({ of: key, url: null }),
    )
    return () => {
      isCurrent = false
      release()
    }
  }, [session, kind, id, key, isWanted])
  if (got?.of !== key) return { kind: 'loading' }
  return got.url === null ? { kind: 'unavailable' } : { kind: 'ready', url: got.url }
}
