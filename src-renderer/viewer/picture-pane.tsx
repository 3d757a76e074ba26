/** The panes of the viewer, each with one image. */
import { IconHistoryOff, IconPhotoOff, IconPhotoX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Fields } from '../../src-shared/fields.ts'
import type { Image } from '../../src-shared/submission.ts'
import { EyeMark } from '../components/badges.tsx'
import { useLoaded } from '../components/browser.tsx'
import { EmptyState, FailureNotice } from '../components/controls.tsx'
import { baseName, Photo } from '../components/photo.tsx'
import { formatCalendarDay, formatDay } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import { useSession } from '../store/use-station.ts'
import { filterOf } from './adjustments.tsx'
import { imageOfEye, isOtherName, type ReadEarlier, useEarlier, type Visit } from './earlier-visit.ts'
import css from './viewer.module.css'
import { type OpenPicture, openPicture, openZoomPane, type ZoomPane } from './zoom-pane.ts'
import type { ViewerView } from './view.ts'

const closePicture = (picture: OpenPicture | null): void => picture?.close()

/** Opens the full image in its host while mounted, and releases it afterwards. */
function usePicture(id: string, onPane: PicturePaneProps['onPane']) {
  const { link } = useSession()
  const hostRef = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  /** Screen pixels per image pixel; null before anything is shown. */
  const [scale, setScale] = useState<number | null>(null)
  const loaded = useLoaded(
    id,
    async (gone) => openPicture(await link.readBytes('image', id), gone),
    closePicture,
  )
  const picture = loaded.kind === 'ready' ? loaded.value : null
  useEffect(() => {
    const host = hostRef.current
    if (picture === null || host === null) return undefined
    const gone = new AbortController()
    openZoomPane({
      host,
      picture,
      onScale: setScale,
      onOpen: (pane) => onPane(id, pane, gone.signal),
      onDrawn: () => setDrawn(true),
      signal: gone.signal,
    })
    return () => gone.abort()
  }, [picture, id, onPane])
  const opened = picture === null ? 'unreadable' : isDrawn ? 'drawn' : 'drawing'
  const state = loaded.kind === 'ready' ? opened : loaded.kind === 'failed' ? 'unavailable' : 'loading'
  return { hostRef, state, scale } as const
}

type PicturePaneProps = {
  readonly image: Image
  readonly visit: string
  readonly caution: string | null
  readonly filter: string
  /** Do the keys move this pane? Shown by its frame if there are two. */
  readonly isActive: boolean
  readonly onActive: () => void
  readonly onPane: (id: string, pane: ZoomPane, gone: AbortSignal) => void
}

function PicturePane(props: PicturePaneProps) {
  const { image, visit, caution, isActive, onActive } = props
  const name = nameOf(image, useNames())
  return (
    <section
      className={css.pane}
      data-active={isActive}
      data-image={image.id}
      // The focus decides which of the two panes the keys move.
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
          <div className={css.instead}>
            <EmptyState
              icon={IconPhotoX}
              title={t('part:removed', { day: formatDay(image.removedAt) })}
              body={t('viewer:removedMeans')}
            />
          </div>
        </>
      )}
    </section>
  )
}

function StoredPicture({ image, visit, caution, filter, onPane }: PicturePaneProps) {
  const { hostRef, state, scale } = usePicture(image.id, onPane)
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
      {/* The thumbnail is shown until the full image is open. */}
      {state === 'loading' && <Photo image={image} className={css.preview} />}
      {state === 'loading' && <p className={css.loading}>{t('viewer:loading')}</p>}
      {(state === 'unavailable' || state === 'unreadable') && (
        <div className={css.instead}>
          <EmptyState
            icon={IconPhotoOff}
            title={t(`viewer:${state}.title`)}
            body={t(`viewer:${state}.message`)}
          />
        </div>
      )}
      {note !== null && (state === 'drawing' || state === 'drawn') && <p className={css.remark}>{note}</p>}
    </>
  )
}

type CaptionProps = Pick<PicturePaneProps, 'image' | 'visit' | 'caution'> & { readonly scale: number | null }

function Caption({ image, visit, scale, caution }: CaptionProps) {
  return (
    <>
      <div className={css.caption}>
        <EyeMark eye={image.eye} />
        <span>{visit}</span>
        <span className="grow" />
        <span className="tabular" title={t('viewer:scaleMeans')}>
          {scale !== null && t('viewer:scale', { percent: Math.round(scale * 100) })}
        </span>
      </div>
      {caution !== null && <p className={css.caution}>{caution}</p>}
    </>
  )
}

/** The camera's file name without its folder; names may be masked. */
export function nameOf({ fileName }: Pick<Image, 'fileName'>, names: Names): string {
  return names.fileName(baseName(fileName))
}

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

type ShownPanesProps = { readonly submission: Visit; readonly image: Image; readonly view: ViewerView }

/** One image, or two side by side: OD left of OS, an earlier visit left of this one. */
export function ShownPanes({ submission, image, view }: ShownPanesProps) {
  const { layout, shown, activeId, linked, activate } = view
  const isEarlierWanted = layout.kind === 'earlier'
  const earlier = useEarlier(submission, isEarlierWanted)
  const pane = (one: Image, visit: string, caution: string | null): ReactNode => (
    <PicturePane
      key={one.id}
      image={one}
      visit={visit}
      caution={caution}
      filter={filterOf(view.adjustments)}
      isActive={layout.kind !== 'one' && activeId === one.id}
      onActive={() => activate(one.id)}
      onPane={linked.add}
    />
  )
  const found = isEarlierWanted && earlier?.kind === 'found' ? earlier.visit : null
  const before = found && imageOfEye(found.images, image.eye)
  const hasOtherName = found !== null && isOtherName(found.fields, submission.fields)
  return (
    <div className={css.panes}>
      {found &&
        before &&
        pane(
          before,
          visitLabel('earlier', found.fields),
          hasOtherName ? t('viewer:noEarlier.otherName') : null,
        )}
      {isEarlierWanted && !before && (
        <div className={css.empty}>
          <NoEarlier earlier={earlier} current={submission} image={image} />
        </div>
      )}
      {shown.map((one) => pane(one, visitLabel('this', submission.fields), null))}
    </div>
  )
}

type NoEarlierProps = { readonly earlier: ReadEarlier | null; readonly current: Visit; readonly image: Image }

/** Why the same eye cannot be shown as it was at the earlier visit. */
function NoEarlier({ earlier, current, image: { eye } }: NoEarlierProps) {
  if (earlier === null) return <p>{t('viewer:noEarlier.reading')}</p>
  if (earlier.kind === 'failed') return <FailureNotice failure={earlier.failure} />
  const why = earlier.kind !== 'found' ? earlier.kind : eye === 'unknown' ? 'eyeUnknown' : 'noImage'
  const number = current.fields.history_number ?? ''
  const day = earlier.kind === 'found' ? dayOf(earlier.visit.fields) : ''
  return (
    <EmptyState
      icon={IconHistoryOff}
      title={t(`viewer:noEarlier.${why}.title`)}
      body={t(`viewer:noEarlier.${why}.message`, { number, day })}
    />
  )
}

function visitLabel(which: 'this' | 'earlier', fields: Fields): string {
  return `${t(`viewer:visit.${which}`)}, ${dayOf(fields)}`
}

function dayOf({ visit_date }: Fields): string {
  return visit_date ? formatCalendarDay(visit_date) : t('viewer:visit.noDate')
}
