import { useEffect, useRef, useState, type DragEvent } from 'react'
import type { CallInput } from '../../src-shared/contract.ts'
import { EYES, type Eye } from '../../src-shared/eye.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { namesNow } from '../privacy/use-names.ts'
import { runCall } from '../shell/run-call.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { ImageViewer } from '../viewer/image-viewer.tsx'
import { currentSignature } from '../who/initials.ts'
import { boardImages, type BoardImage } from './board-images.ts'
import { EyeColumn } from './eye-column.tsx'
import { droppedImage } from './eye-drop.ts'
import { focusImage } from './focus-field.ts'
import { GroupingBar } from './grouping-bar.tsx'
import { ImageCard } from './image-card.tsx'
import css from './images-board.module.css'
import { NoImageControl } from './no-image-control.tsx'
import screen from './submission-screen.module.css'
import { t } from '../words/t.ts'

export type ImagesBoardProps = {
  readonly details: SubmissionDetails
  readonly isFrozen: boolean
  readonly onChanged: (details: SubmissionDetails) => void
}

type Change = Omit<CallInput<'submissions.update'>, 'id'>
const NO_IDS: ReadonlySet<string> = new Set()

/** The images by eye, OD always left: what is assigned, what is not, and what is left out. */
export function ImagesBoard({ details, isFrozen, onChanged }: ImagesBoardProps) {
  const session = useSession()
  const [shownId, setShownId] = useState<string | null>(null)
  const [chosen, setChosen] = useState(NO_IDS)
  const moved = useRef<string | null>(null)
  const { id, images, noImageBecause } = details
  const all = boardImages(images)
  const sent = all.filter(({ image }) => image.excludedBecause === null)
  const left = all.filter(({ image }) => image.excludedBecause !== null)
  const ofEye = (eye: Eye) => sent.filter(({ image }) => image.eye === eye)
  const hasUnassigned = ofEye('unknown').length > 0

  const change = async (changes: Change): Promise<boolean> => {
    const changed = await runCall(session, 'submissions.update', {
      id,
      ...currentSignature(),
      // A slip of the hand can be taken back as long as the case is here.
      mayLeave: false,
      ...changes,
    })
    if (changed) onChanged(changed)
    return changed !== null
  }
  const changeImage = (imageId: string, what: Omit<NonNullable<Change['images']>[number], 'id'>): void => {
    moved.current = imageId
    void change({ images: [{ id: imageId, ...what }] })
  }
  /** What a slip of the hand did can be taken back as easily. */
  const dropOn = async (eye: Eye, event: DragEvent): Promise<void> => {
    const image = droppedImage(event, eye, images)
    if (image === null) return
    moved.current = image.id
    if (!(await change({ images: [{ id: image.id, eye }] }))) return
    const what = namesNow().fileName(image.fileName.split('/').at(-1) ?? image.fileName)
    showToast({
      tone: 'green',
      message:
        eye === 'unknown'
          ? t('editor:images.movedUnknown', { what })
          : t('editor:images.moved', { what, eye: t(`field:eye.${eye}.within`) }),
      action: {
        label: t('editor:images.undo'),
        run: () => void change({ images: [{ id: image.id, eye: image.eye }] }),
      },
    })
  }
  const setNoImageReason = (eye: 'right' | 'left', reason: string | null): void => {
    // The call takes the place of all that was said before, of both eyes.
    const { [eye]: _before, ...others } = noImageBecause
    void change({ noImageBecause: reason === null ? others : { ...others, [eye]: reason } })
  }
  // A card that goes to another column is a new element: the focus goes with it.
  useEffect(() => {
    const movedId = moved.current
    if (shownId !== null || !images.some((image) => image.id === movedId)) return
    moved.current = null
    if (movedId !== null) focusImage(movedId)
  }, [images, shownId, moved])

  const card = (shown: BoardImage) => (
    <ImageCard
      key={shown.image.id}
      shown={shown}
      isFrozen={isFrozen}
      isSelected={chosen.has(shown.image.id)}
      onOpen={() => setShownId(shown.image.id)}
      onSelect={(isSelected) =>
        setChosen((before) =>
          isSelected
            ? new Set([...before, shown.image.id])
            : new Set([...before].filter((one) => one !== shown.image.id)),
        )
      }
      onChange={(what) => changeImage(shown.image.id, what)}
    />
  )
  return (
    <section className={screen.block} aria-labelledby="block-images">
      <div className={css.head}>
        <h2 id="block-images" className={css.title}>
          {t('submission:images.title')}
        </h2>
        {!isFrozen && (
          <GroupingBar
            details={details}
            shown={all}
            chosen={all.filter(({ image }) => chosen.has(image.id)).map(({ image }) => image)}
            hint={hasUnassigned ? t('submission:images.unassignedHint') : t('editor:images.dragHint')}
            onChanged={(changed) => {
              setChosen(NO_IDS)
              if (changed) onChanged(changed)
            }}
          />
        )}
      </div>
      <div className={css.columns} data-count={hasUnassigned ? 3 : isFrozen ? 2 : 'spare'}>
        {EYES.filter((eye) => eye !== 'unknown' || hasUnassigned || !isFrozen).map((eye) => (
          <EyeColumn
            key={eye}
            eye={eye}
            count={ofEye(eye).length}
            onDrop={isFrozen ? null : (event) => void dropOn(eye, event)}
          >
            {ofEye(eye).map(card)}
            {eye !== 'unknown' && (
              <NoImageControl
                eye={eye}
                reason={noImageBecause[eye]}
                hasImages={ofEye(eye).length > 0}
                isFrozen={isFrozen}
                onReason={(reason) => setNoImageReason(eye, reason)}
              />
            )}
          </EyeColumn>
        ))}
      </div>
      {left.length > 0 && (
        <div className={css.left}>
          <h3 className={css.leftTitle}>{t('submission:images.excluded')}</h3>
          <div className={css.leftCards}>{left.map(card)}</div>
        </div>
      )}
      <ImageViewer
        submission={details}
        images={[...EYES.flatMap(ofEye), ...left].map(({ image }) => image)}
        shownId={shownId}
        isFrozen={isFrozen}
        onShow={setShownId}
        onAssign={(imageId, eye) => changeImage(imageId, { eye })}
      />
    </section>
  )
}
