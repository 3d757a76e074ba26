/** Thumbnails of the station's images, and the object URLs behind them. */
import { useInViewport } from '@mantine/hooks'
import { IconPhotoOff, IconPhotoX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { BytesKind } from '../../src-shared/contract.ts'
import type { Image } from '../../src-shared/submission.ts'
import { formatDay } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import type { ReleasableUrl, StationLink } from '../link/link.ts'
import type { StationSession } from '../store/store.ts'
import { useSession } from '../store/use-station.ts'
import css from './photo.module.css'

type CachedUrl = { readonly pending: Promise<ReleasableUrl>; users: number }

/** URLs of images, shared by all components that show the same one and released after the last. */
type UrlCache = {
  /** The URL, and how to release it; rejects as the link does. */
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
      // A failed request must not be cached: the bytes may exist by the next one.
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

type BytesUrl =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'unavailable' }

const urlCaches = new WeakMap<StationSession, UrlCache>()

function urlCacheOf(session: StationSession): UrlCache {
  const cache = urlCaches.get(session) ?? createUrlCache(session.link)
  urlCaches.set(session, cache)
  return cache
}

/** A URL for an image while the component is mounted; nothing is requested while `isWanted` is false. */
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

type PhotoProps = {
  readonly image: Pick<Image, 'id' | 'removedAt'>
  readonly alt: string
  readonly className?: string
}

/** A thumbnail on black, the usual background of fundus images. Requested once it scrolls into view. */
export function Photo({ image, alt, className = '' }: PhotoProps) {
  return image.removedAt === null ? (
    <StoredPhoto id={image.id} alt={alt} className={className} />
  ) : (
    <RemovedPhoto removedAt={image.removedAt} alt={alt} className={className} />
  )
}

type StoredPhotoProps = Required<Omit<PhotoProps, 'image'>> & { readonly id: string }

function StoredPhoto({ id, alt, className }: StoredPhotoProps) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>()
  const [wasSeen, setWasSeen] = useState(false)
  if (inViewport && !wasSeen) setWasSeen(true)
  const bytes = useBytesUrl('thumbnail', id, wasSeen)
  const [broken, setBroken] = useState<string | null>(null)
  const isMissing = bytes.kind === 'unavailable' || (bytes.kind === 'ready' && broken === bytes.url)
  return (
    <span ref={ref} className={`${css.photo} ${className}`} data-loading={bytes.kind === 'loading'}>
      {isMissing ? (
        <span className={css.missing} role="img" aria-label={alt}>
          <IconPhotoOff size={18} aria-hidden />
        </span>
      ) : (
        bytes.kind === 'ready' && (
          <img src={bytes.url} alt={alt} draggable={false} onError={() => setBroken(bytes.url)} />
        )
      )}
    </span>
  )
}

type RemovedPhotoProps = Pick<StoredPhotoProps, 'alt' | 'className'> & { readonly removedAt: number }

/** Deleted by the retention rule: shown with the date, not as an error. */
function RemovedPhoto({ removedAt, alt, className }: RemovedPhotoProps) {
  const label = t('part:removed', { day: formatDay(removedAt) })
  return (
    <span className={`${css.photo} ${className}`}>
      <span className={css.missing} role="img" aria-label={`${alt}. ${label}`} title={label}>
        <IconPhotoX size={18} aria-hidden />
        <span className={css.label}>{label}</span>
      </span>
    </span>
  )
}
