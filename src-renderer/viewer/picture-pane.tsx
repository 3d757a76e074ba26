import { IconPhotoOff, IconPhotoX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Image } from '../../src-shared/submission.ts'
import { formatDay } from '../format/instants.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { Photo } from '../parts/photo.tsx'
import { useNames, type Names } from '../privacy/use-names.ts'
import { t } from '../words/t.ts'
import css from './picture-pane.module.css'
import { usePicture, type PictureState } from './use-picture.ts'
import type { ZoomPane } from './zoom-pane.ts'

export type PicturePaneProps = {
  readonly image: Image
  /** Which visit, and of which day. */
  readonly visit: string
  readonly caution?: string | null
  readonly filter: string
  /** Is it what the keys move? Told by its frame, where there is another. */
  readonly isActive: boolean
  readonly onActive: () => void
  readonly onPane: (id: string, pane: ZoomPane) => () => void
}

/** One image, to be looked at closely. */
export function PicturePane(props: PicturePaneProps) {
  const { image, visit, caution = null, isActive, onActive } = props
  const name = nameOf(image, useNames())
  return (
    <section
      className={css.pane}
      data-active={isActive}
      data-image={image.id}
      // Focus is what says which of two the keys move.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-autofocus
      aria-label={`${t(`field:eye.${image.eye}.full`)}, ${visit}, ${name}`}
      onFocus={onActive}
      onPointerDown={onActive}
    >
      {image.removedAt === null ? (
        <StoredPicture key={image.id} {...props} />
      ) : (
        <>
          <Caption image={image} visit={visit} scale={null} caution={caution} />
          <Placeholder
            icon={<IconPhotoX size={34} aria-hidden />}
            title={t('part:removed', { day: formatDay(image.removedAt) })}
          >
            {t('viewer:removedMeans')}
          </Placeholder>
        </>
      )}
    </section>
  )
}

function StoredPicture({ image, visit, caution = null, filter, onPane }: PicturePaneProps) {
  const { hostRef, state, scale } = usePicture(image.id, onPane)
  const isShown = state === 'drawing' || state === 'drawn'
  const note = noteOn(image)
  const alt = t('part:photo', { eye: t(`field:eye.${image.eye}.name`), fileName: nameOf(image, useNames()) })
  return (
    <>
      <Caption image={image} visit={visit} scale={scale} caution={caution} />
      <div
        ref={hostRef}
        className={css.host}
        data-state={state}
        role="img"
        aria-label={alt}
        style={{ filter }}
      />
      {/* Until the whole image is open, the small one stands in its place. */}
      {state === 'loading' && <Photo image={image} className={css.preview ?? ''} alt={alt} />}
      {!isShown && <NotShown state={state} />}
      {note !== null && isShown && <p className={css.note}>{note}</p>}
    </>
  )
}

function NotShown({ state }: { readonly state: Exclude<PictureState, 'drawing' | 'drawn'> }) {
  if (state === 'loading') return <p className={css.loading}>{t('viewer:loading')}</p>
  return (
    <Placeholder icon={<IconPhotoOff size={34} aria-hidden />} title={t(`viewer:${state}.title`)}>
      {t(`viewer:${state}.message`)}
    </Placeholder>
  )
}

type CaptionProps = Pick<PicturePaneProps, 'image' | 'visit'> & {
  readonly scale: number | null
  readonly caution: string | null
}

function Caption({ image, visit, scale, caution }: CaptionProps) {
  return (
    <>
      <div className={css.caption}>
        <EyeMark eye={image.eye} />
        <span>{visit}</span>
        <span className={css.gap} />
        <span className={`tabular ${css.scale}`} title={t('viewer:scaleMeans')}>
          {scale !== null && t('viewer:scale', { percent: Math.round(scale * 100) })}
        </span>
      </div>
      {caution !== null && <p className={css.caution}>{caution}</p>}
    </>
  )
}

export type PlaceholderProps = {
  readonly icon: ReactNode
  readonly title: string
  readonly children: ReactNode
}

/** What stands where an image would. */
export function Placeholder({ icon, title, children }: PlaceholderProps) {
  return (
    <div className={css.instead}>
      {icon}
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  )
}

/** What the camera called it, without its folder, as it may be read just now. */
export function nameOf({ fileName }: Pick<Image, 'fileName'>, names: Names): string {
  return names.fileName(fileName.split('/').at(-1) ?? fileName)
}

/** What is shown is not always what is sent. */
function noteOn({ contentType, sentAs }: Image): string | null {
  switch (contentType) {
    case 'image/tiff':
      return t('viewer:converted.tiff')
    case 'image/bmp':
      return t('viewer:converted.bmp')
    case 'application/dicom':
      return sentAs ? t('viewer:converted.dicomPicture') : t('viewer:converted.dicomWhole')
    default:
      return null
  }
}
