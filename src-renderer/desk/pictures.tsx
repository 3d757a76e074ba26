/** The pictures of the shown case: OD left of OS, as large as the window allows; those of the next case wait hidden. */
import { UnstyledButton } from '@mantine/core'
import { IconPhotoOff } from '@tabler/icons-react'
import { type Dispatch, type SetStateAction, useState } from 'react'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Image, Submission } from '../../src-shared/submission.ts'
import { EyeMark } from '../components/badges.tsx'
import { baseName, isSent, Photo, useBytesUrl } from '../components/photo.tsx'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { ExcludeControl } from '../submission/exclude-image.tsx'
import { openViewer } from '../viewer/viewer.tsx'
import type { KnownEye } from './desk-state.ts'
import css from './desk.module.css'

type PictureState = 'ready' | 'failed'

export type PictureStates = Readonly<Record<string, PictureState>>

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
  readonly states: PictureStates
  readonly onStates: Dispatch<SetStateAction<PictureStates>>
  readonly onExclude: (id: string, reason: string) => void
}

/** Keyed by image in one parent, so that a picture that was decoded in advance is there at once. */
export function DeskPictures({ shown, next, states, onStates, onExclude }: DeskPicturesProps) {
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const large = largeImages(shown, chosen)
  const mayExclude = shown.state === 'review' || shown.state === 'incomplete'
  const isAsked = large[0]?.eye === 'unknown'
  const coming = next === undefined || next.id === shown.id ? [] : largeImages(next)
  const note = (id: string, state: PictureState): void => onStates((before) => ({ ...before, [id]: state }))
  return (
    <div className={css.pictures} data-asked={isAsked}>
      {[...large, ...coming].map((image) => (
        <Picture
          key={image.id}
          image={image}
          isShown={large.includes(image)}
          state={states[image.id]}
          onState={note}
          onExclude={mayExclude ? (reason) => onExclude(image.id, reason) : null}
          onOpen={() => openViewer({ submissionId: shown.id, imageId: image.id })}
        />
      ))}
      {!isAsked &&
        BOTH_EYES.map((eye) => {
          const images = imagesOfEye(shown, eye)
          if (images.length === 0)
            return (
              <p key={eye} className={css.noPicture} data-area={eye}>
                <EyeMark eye={eye} />
                {shown.noImageBecause[eye] ?? t('desk:noImage', { eye: t(`field:eye.${eye}.within`) })}
              </p>
            )
          return (
            images.length > 1 && (
              <Retakes
                key={eye}
                eye={eye}
                images={images}
                shownId={large.find((image) => image.eye === eye)?.id ?? ''}
                onChoose={(id) => setChosen((before) => ({ ...before, [eye]: id }))}
              />
            )
          )
        })}
    </div>
  )
}

type PictureProps = {
  readonly image: Image
  readonly isShown: boolean
  readonly state: PictureState | undefined
  readonly onState: (id: string, state: PictureState) => void
  /** Null if the case cannot be changed. */
  readonly onExclude: ((reason: string) => void) | null
  readonly onOpen: () => void
}

function Picture({ image, isShown, state, onState, onExclude, onOpen }: PictureProps) {
  const { id, eye, fileName, removedAt } = image
  const name = useNames().fileName(baseName(fileName))
  const bytes = useBytesUrl('image', id, removedAt === null)
  const url = bytes.kind === 'ready' ? bytes.value.url : null
  const isFailed = state === 'failed' || bytes.kind === 'failed' || removedAt !== null
  const label = t('part:photo', { eye: t(`field:eye.${eye}.name`), fileName: name })
  const settle = (picture: HTMLImageElement): void =>
    void picture.decode().then(
      () => onState(id, 'ready'),
      () => onState(id, 'failed'),
    )
  return (
    <figure className={css.picture} data-area={eye} data-image={id} hidden={!isShown}>
      <UnstyledButton
        className={css.enlarge}
        aria-label={t('desk:enlarge', { what: label })}
        onKeyDown={(event) =>
          event.key.toLowerCase() === 'x' && pressExclude(event.currentTarget.closest('figure'))
        }
        onClick={onOpen}
      >
        {isFailed ? (
          <IconPhotoOff size={34} aria-hidden />
        ) : (
          <>
            {state !== 'ready' && isShown && <Photo image={image} className={css.preview} alt="" />}
            {url !== null && (
              <img
                src={url}
                alt=""
                draggable={false}
                onLoad={(event) => settle(event.currentTarget)}
                onError={() => onState(id, 'failed')}
              />
            )}
          </>
        )}
      </UnstyledButton>
      <figcaption>
        <EyeMark eye={eye} />
        {isFailed && <span>{t('desk:pictureFailed')}</span>}
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

/** X asks why the picture under the focus, or the only one, is left out. */
export function pressExclude(figure: Element | null | undefined): void {
  figure?.querySelector<HTMLElement>('figcaption button')?.click()
}

type RetakesProps = {
  readonly eye: KnownEye
  readonly images: readonly Image[]
  readonly shownId: string
  readonly onChoose: (id: string) => void
}

/** All images of an eye, small: each is in view before the case is approved. */
function Retakes({ eye, images, shownId, onChoose }: RetakesProps) {
  return (
    <div className={css.retakes} data-area={eye} role="group" aria-label={t(`field:eye.${eye}.full`)}>
      {images.map((image) => (
        <UnstyledButton
          key={image.id}
          className={css.retake}
          aria-pressed={image.id === shownId}
          onClick={() => onChoose(image.id)}
        >
          <Photo image={image} className={css.small} />
        </UnstyledButton>
      ))}
    </div>
  )
}
