/** The pictures of the shown case: OD left of OS, as large as the window allows; those of the next case wait hidden. */
import { UnstyledButton } from '@mantine/core'
import { IconPhotoOff } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Image, Submission } from '../../src-shared/submission.ts'
import { EyeMark } from '../components/badges.tsx'
import { SmallButton } from '../components/controls.tsx'
import { baseName, isSent, Photo, useBytesUrl } from '../components/photo.tsx'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useStation } from '../store/use-station.ts'
import { ExcludeControl } from '../submission/exclude-image.tsx'
import { openViewer } from '../viewer/viewer.tsx'
import type { KnownEye } from './desk-state.ts'
import css from './desk.module.css'

type PictureState = 'ready' | 'failed'

/** What is seen of the pictures that are on the screen now, by image. One that is gone must be decoded again. */
export type ShownPictures = {
  readonly large: Readonly<Record<string, PictureState>>
  /** Those in a strip whose thumbnails were in view. */
  readonly small: Readonly<Record<string, true>>
  /** Which of several images of an eye is large. */
  readonly chosen: Readonly<Record<string, string>>
}

export function useShownPictures() {
  const [pictures, setPictures] = useState<ShownPictures>({ large: {}, small: {}, chosen: {} })
  const note = useCallback(
    (id: string, state: PictureState | null): void =>
      setPictures((before) => {
        const { [id]: _gone, ...others } = before.large
        return { ...before, large: state === null ? others : { ...others, [id]: state } }
      }),
    [],
  )
  const noteSmall = useCallback(
    (id: string, isShown: boolean): void =>
      setPictures((before) => {
        const { [id]: _gone, ...others } = before.small
        return { ...before, small: isShown ? { ...others, [id]: true } : others }
      }),
    [],
  )
  const choose = (eye: KnownEye, id: string): void =>
    setPictures((before) => ({ ...before, chosen: { ...before.chosen, [eye]: id } }))
  return { ...pictures, note, noteSmall, choose }
}

/** Was every image of the case seen that is sent: one of each eye large, the others in the strip? Pure. */
export function picturesStateOf(
  shown: Pick<Submission, 'images'>,
  { large, small, chosen }: ShownPictures,
): 'loading' | PictureState {
  const inLarge = largeImages(shown, chosen)
  if (inLarge.some(({ id }) => large[id] === 'failed')) return 'failed'
  const isAsked = inLarge[0]?.eye === 'unknown'
  const inStrips = isAsked ? [] : shown.images.filter((image) => isSent(image) && !inLarge.includes(image))
  const isSeen =
    inLarge.every(({ id }) => large[id] === 'ready') && inStrips.every(({ id }) => small[id] !== undefined)
  return isSeen ? 'ready' : 'loading'
}

const BOTH_EYES: readonly KnownEye[] = ['right', 'left']

/** The images that are sent of an eye, the newest first: a retake is usually the better one. */
function imagesOfEye({ images }: Pick<Submission, 'images'>, eye: Eye): readonly Image[] {
  return images.filter((image) => image.eye === eye && isSent(image)).toReversed()
}

/** The images of a case that the desk shows large: the first whose eye is asked, alone, or one of each eye. Pure. */
export function largeImages(
  submission: Pick<Submission, 'images'>,
  chosen: Readonly<Record<string, string>> = {},
): readonly Image[] {
  const [asked] = imagesOfEye(submission, 'unknown').toReversed()
  if (asked) return [asked]
  return BOTH_EYES.flatMap((eye) => {
    const images = imagesOfEye(submission, eye)
    return images.find(({ id }) => id === chosen[eye]) ?? images[0] ?? []
  })
}

type DeskPicturesProps = {
  readonly shown: Submission
  readonly next: Submission | undefined
  readonly pictures: ReturnType<typeof useShownPictures>
  readonly onExclude: (id: string, reason: string) => void
}

/** Keyed by image in one parent, so that a picture that was decoded in advance is there at once. */
export function DeskPictures({ shown, next, pictures, onExclude }: DeskPicturesProps) {
  const names = useNames()
  const large = largeImages(shown, pictures.chosen)
  const mayExclude = shown.state === 'review' || shown.state === 'incomplete'
  const isAsked = large[0]?.eye === 'unknown'
  const coming = next === undefined || next.id === shown.id ? [] : largeImages(next)
  return (
    <div className={css.pictures} data-asked={isAsked}>
      {[...large, ...coming].map((image) => (
        <Picture
          key={image.id}
          image={image}
          isShown={large.includes(image)}
          state={pictures.large[image.id]}
          onState={pictures.note}
          onExclude={mayExclude ? (reason) => onExclude(image.id, reason) : null}
          onOpen={() => openViewer({ submissionId: shown.id, imageId: image.id })}
        />
      ))}
      {!isAsked &&
        BOTH_EYES.map((eye) => {
          const images = imagesOfEye(shown, eye)
          const because = shown.noImageBecause[eye]
          if (images.length === 0)
            return (
              <p key={eye} className={css.noPicture} data-area={eye}>
                <EyeMark eye={eye} />
                {because === undefined
                  ? t('desk:noImage', { eye: t(`field:eye.${eye}.within`) })
                  : names.text(because, shown.fields)}
              </p>
            )
          return (
            images.length > 1 && (
              <Retakes
                key={eye}
                eye={eye}
                images={images}
                shownId={large.find((image) => image.eye === eye)?.id ?? ''}
                onSmall={pictures.noteSmall}
                onChoose={(id) => pictures.choose(eye, id)}
              />
            )
          )
        })}
    </div>
  )
}

type BytesProps = {
  readonly image: Image
  readonly isShown: boolean
  readonly state: PictureState | undefined
  readonly onState: (id: string, state: PictureState | null) => void
}

/** The decoded image, with its thumbnail until then. */
function PictureBytes({ image, isShown, state, onState }: BytesProps) {
  const { id, removedAt } = image
  const bytes = useBytesUrl('image', id, removedAt === null)
  const isMissing = bytes.kind === 'failed' || removedAt !== null
  useEffect(() => {
    if (isMissing) onState(id, 'failed')
  }, [isMissing, id, onState])
  useEffect(() => () => onState(id, null), [id, onState])
  const settle = (picture: HTMLImageElement): void => {
    const note = (decoded: PictureState): void => {
      if (picture.isConnected) onState(id, decoded)
    }
    picture.decode().then(
      () => note('ready'),
      () => note('failed'),
    )
  }
  if (state === 'failed') return <IconPhotoOff size={34} aria-hidden />
  return (
    <>
      {state !== 'ready' && isShown && <Photo image={image} className={css.preview} alt="" />}
      {bytes.kind === 'ready' && (
        <img
          src={bytes.value.url}
          alt=""
          draggable={false}
          onLoad={(event) => settle(event.currentTarget)}
          onError={() => onState(id, 'failed')}
        />
      )}
    </>
  )
}

type PictureProps = BytesProps & {
  /** Null if the case cannot be changed. */
  readonly onExclude: ((reason: string) => void) | null
  readonly onOpen: () => void
}

function Picture({ onExclude, onOpen, ...rest }: PictureProps) {
  const { image, isShown, state } = rest
  const { id, eye, fileName, removedAt } = image
  const name = useNames().fileName(baseName(fileName))
  const snapshots = useStation((station) => station.snapshots)
  // What failed is read again with each snapshot, so after every gap in the connection, and if a person asks.
  const [tried, setTried] = useState({ turn: 0, snapshots })
  const isFailed = state === 'failed'
  const tryAgain = (): void => setTried({ turn: tried.turn + 1, snapshots })
  if (isFailed && tried.snapshots !== snapshots) tryAgain()
  const label = t('part:photo', { eye: t(`field:eye.${eye}.name`), fileName: name })
  return (
    <figure className={css.picture} data-area={eye} data-image={id} hidden={!isShown}>
      <UnstyledButton
        className={css.enlarge}
        aria-label={t('desk:enlarge', { what: label })}
        onClick={onOpen}
      >
        <PictureBytes key={tried.turn} {...rest} />
      </UnstyledButton>
      <figcaption>
        <EyeMark eye={eye} />
        {isFailed && <span>{t('desk:pictureFailed')}</span>}
        {isFailed && removedAt === null && (
          <SmallButton onClick={tryAgain}>{t('shell:tryAgain')}</SmallButton>
        )}
        <span className="grow" />
        {onExclude && (
          <ExcludeControl
            name={name}
            reason={null}
            onChange={(reason) => reason !== null && onExclude(reason)}
          />
        )}
      </figcaption>
    </figure>
  )
}

/** Asks why a picture is left out. */
export function pressExclude(figure: Element | null | undefined): void {
  figure?.querySelector<HTMLElement>('figcaption [data-exclude]')?.click()
}

type RetakesProps = {
  readonly eye: KnownEye
  readonly images: readonly Image[]
  readonly shownId: string
  readonly onSmall: (id: string, isShown: boolean) => void
  readonly onChoose: (id: string) => void
}

/** All images of an eye, small: each is in view before the case is approved. */
function Retakes({ eye, images, shownId, onSmall, onChoose }: RetakesProps) {
  return (
    <div className={css.retakes} data-area={eye} role="group" aria-label={t(`field:eye.${eye}.full`)}>
      {images.map((image) => (
        <Retake
          key={image.id}
          image={image}
          isLarge={image.id === shownId}
          onSmall={onSmall}
          onChoose={onChoose}
        />
      ))}
    </div>
  )
}

type RetakeProps = Pick<RetakesProps, 'onSmall' | 'onChoose'> & {
  readonly image: Image
  readonly isLarge: boolean
}

function Retake({ image, isLarge, onSmall, onChoose }: RetakeProps) {
  const { id } = image
  useEffect(() => () => onSmall(id, false), [id, onSmall])
  return (
    <UnstyledButton className={css.retake} aria-pressed={isLarge} onClick={() => onChoose(id)}>
      <Photo image={image} className={css.small} onShown={() => onSmall(id, true)} />
    </UnstyledButton>
  )
}
