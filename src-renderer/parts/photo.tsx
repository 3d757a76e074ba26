import { useInViewport } from '@mantine/hooks'
import { IconPhotoOff, IconPhotoX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Image } from '../../src-shared/submission.ts'
import { formatDay } from '../format/instants.ts'
import css from './photo.module.css'
import { useBytesUrl } from './use-bytes-url.ts'
import { t } from '../words/t.ts'

export type PhotoProps = {
  readonly image: Pick<Image, 'id' | 'removedAt'>
  readonly alt: string
  readonly className?: string
}

/** An image of the station made small, on black, as fundus images are looked at. Asked for when it comes into view. */
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

/** Gone on purpose and by the rule: told with its day, and not as something that is broken. */
function RemovedPhoto({ removedAt, alt, className }: RemovedPhotoProps) {
  const label = t('part:removed', { day: formatDay(removedAt) })
  return (
    <span className={`${css.photo} ${className}`}>
      <span className={css.missing} role="img" aria-label={`${alt}. ${label}`} title={label}>
        <IconPhotoX size={18} aria-hidden />
        <span className={css.words}>{label}</span>
      </span>
    </span>
  )
}
