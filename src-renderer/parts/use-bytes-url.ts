import { useEffect, useState } from 'react'
import type { BytesKind } from '../../src-shared/contract.ts'
import type { StationSession } from '../store/station-session.ts'
import { useSession } from '../store/use-station.ts'
import { createUrlDesk, type UrlDesk } from './loaned-urls.ts'

export type BytesUrl =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'unavailable' }

const desks = new WeakMap<StationSession, UrlDesk>()

function deskOf(session: StationSession): UrlDesk {
  const desk = desks.get(session) ?? createUrlDesk(session.link)
  desks.set(session, desk)
  return desk
}

/** An address that the image can be drawn from while the component is there; nothing is asked for while `isWanted` is false. */
export function useBytesUrl(kind: BytesKind, id: string, isWanted = true): BytesUrl {
  const session = useSession()
  const key = `${kind}/${id}`
  const [got, setGot] = useState<{ readonly of: string; readonly url: string | null } | null>(null)
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    const { url, giveBack } = deskOf(session).borrow(kind, id)
    url.then(
      (ready) => isCurrent && setGot({ of: key, url: ready }),
      () => isCurrent && setGot({ of: key, url: null }),
    )
    return () => {
      isCurrent = false
      giveBack()
    }
  }, [session, kind, id, key, isWanted])
  if (got?.of !== key) return { kind: 'loading' }
  return got.url === null ? { kind: 'unavailable' } : { kind: 'ready', url: got.url }
}
