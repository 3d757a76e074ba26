/** Thumbnails of the station's images, and the object URLs behind them. */
import { IconPhotoOff, IconPhotoX } from '@tabler/icons-react'
import { useState } from 'react'
import type { BytesKind } from '../../src-shared/contract.ts'
import { ENDINGS } from '../../src-shared/image-files.ts'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Image } from '../../src-shared/submission.ts'
import type { ReleasableUrl } from '../link/link.ts'
import { formatDay } from '../format/dates.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useSession } from '../store/use-station.ts'
import { type Loaded, useLoaded, useSeen } from './browser.tsx'
import css from './photo.module.css'

const releaseUrl = ({ release }: ReleasableUrl): void => release()

/** A URL for an image while the component is mounted; nothing is requested while `isWanted` is false. */
export function useBytesUrl(kind: BytesKind, id: string, isWanted = true): Loaded<ReleasableUrl> {
  const { link } = useSession()
  return useLoaded(isWanted ? `${kind}/${id}` : null, () => link.createBytesUrl(kind, id), releaseUrl)
}

export function baseName(fileName: string): string {
  return fileName.split('/').at(-1) ?? fileName
}

type PhotoProps = {
  readonly image: Pick<Image, 'id' | 'removedAt' | 'eye' | 'fileName'>
  /** By default its eye and its name. */
  readonly alt?: string
  readonly className?: string | undefined
  /** It was scrolled into view, and its thumbnail is there. */
  readonly onShown?: (() => void) | undefined
}

/** A thumbnail on black, the usual background of fundus images. Requested once it scrolls into view. */
export function Photo({ image, className = '', ...rest }: PhotoProps) {
  const names = useNames()
  const fileName = names.fileName(baseName(image.fileName))
  const alt = rest.alt ?? t('part:photo', { eye: t(`field:eye.${image.eye}.name`), fileName })
  return image.removedAt === null ? (
    <StoredPhoto of={image.id} alt={alt} className={className} onShown={rest.onShown} />
  ) : (
    <RemovedPhoto of={image.removedAt} alt={alt} className={className} />
  )
}

type ShownPhotoProps<What> = { readonly of: What; readonly alt: string; readonly className: string }

function StoredPhoto({
  of: id,
  alt,
  className,
  onShown,
}: ShownPhotoProps<string> & Pick<PhotoProps, 'onShown'>) {
  const { ref, wasSeen } = useSeen<HTMLSpanElement>()
  const bytes = useBytesUrl('thumbnail', id, wasSeen)
  const [broken, setBroken] = useState<string | null>(null)
  const url = bytes.kind === 'ready' ? bytes.value.url : null
  const isMissing = bytes.kind === 'failed' || (url !== null && broken === url)
  return (
    <span ref={ref} className={`${css.photo} ${className}`} data-loading={bytes.kind === 'loading'}>
      {isMissing ? (
        <span className={css.missing} role="img" aria-label={alt}>
          <IconPhotoOff size={18} aria-hidden />
        </span>
      ) : (
        url !== null && (
          <img src={url} alt={alt} draggable={false} onLoad={onShown} onError={() => setBroken(url)} />
        )
      )}
    </span>
  )
}

/** Deleted by the retention rule: shown with the date, not as an error. */
function RemovedPhoto({ of: removedAt, alt, className }: ShownPhotoProps<number>) {
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

export type BoardImage = {
  readonly image: Image
  /** Files that duplicate this photograph; they are not sent. */
  readonly twins: readonly Image[]
}

/** Each photograph once. A duplicate whose original is missing is listed itself, so that nothing is hidden. */
export function boardImages(images: readonly Image[]): readonly BoardImage[] {
  const isHere = (id: string | null): boolean => id !== null && images.some((image) => image.id === id)
  return images
    .filter(({ twinOf }) => !isHere(twinOf))
    .map((image) => ({ image, twins: images.filter(({ twinOf }) => twinOf === image.id) }))
}

/** Images that are sent: neither excluded nor duplicates. */
export function isSent({ excludedBecause, twinOf }: Pick<Image, 'excludedBecause' | 'twinOf'>): boolean {
  return excludedBecause === null && twinOf === null
}

/** The only eye without an image to send, if all images of the other are assigned. */
export function eyeWithoutImage(images: readonly Image[]): Exclude<Eye, 'unknown'> | null {
  const eyes = new Set(images.filter(isSent).map(({ eye }) => eye))
  if (eyes.size !== 1 || eyes.has('unknown')) return null
  return eyes.has('right') ? 'left' : 'right'
}

/** A file name without patient data for the camera's own bytes: `FC7K3M9QXAW_OD_2.dcm`. */
export function downloadName(reference: string, eyeCode: string, number: number, image: Image): string {
  return `${reference}_${eyeCode}_${number}.${ENDINGS[image.contentType][0]}`
}

/** The label of the button around an image: it contains all visible text. */
export function openLabel({ removedAt }: Pick<Image, 'removedAt'>, name: string): string {
  return joinTexts(
    t('desk:enlarge', { what: name }),
    removedAt !== null && t('part:removed', { day: formatDay(removedAt) }),
  )
}
