import { useInViewport } from '@mantine/hooks'
import { IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useBytesUrl } from './use-bytes-url.ts'
import css from './photo.module.css'

export type PhotoProps = {
  readonly id: string
  readonly alt: string
  /** The whole image instead of its thumbnail. */
  readonly isWhole?: boolean
  readonly className?: string
}

/** An image of the station on black, as fundus images are looked at. Asked for when it comes into view. */
export function Photo({ id, alt, isWhole = false, className = '' }: PhotoProps) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>()
  const [wasSeen, setWasSeen] = useState(false)
  if (inViewport && !wasSeen) setWasSeen(true)
  const bytes = useBytesUrl(isWhole ? 'image' : 'thumbnail', id, wasSeen)
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
