import { useEffect, useRef, useState } from 'react'
import type { CallInput } from '../../src-shared/contract.ts'
import { EYES, type Eye } from '../../src-shared/eye.ts'
import type { Image, SubmissionDetails } from '../../src-shared/submission.ts'
import { runCall } from '../shell/run-call.ts'
import { useSession } from '../store/use-station.ts'
import { EYE_WORDS } from '../words/field-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import { focusImage } from './focus-field.ts'
import { ImageCard } from './image-card.tsx'
import { ImageViewer } from './image-viewer.tsx'
import css from './images-board.module.css'
import screen from './submission-screen.module.css'

export type ImagesBoardProps = {
  readonly details: SubmissionDetails
  readonly isFrozen: boolean
  readonly onChanged: (details: SubmissionDetails) => void
}

type ImageChange = Omit<NonNullable<CallInput<'submissions.update'>['images']>[number], 'id'>

/** The images by eye, OD always left: what is assigned, what is not, and what is left out. */
export function ImagesBoard({ details, isFrozen, onChanged }: ImagesBoardProps) {
  const session = useSession()
  const [shownId, setShownId] = useState<string | null>(null)
  const moved = useRef<string | null>(null)
  const { id, images } = details
  const sent = images.filter((image) => image.excludedBecause === null)
  const left = images.filter((image) => image.excludedBecause !== null)
  const hasUnassigned = sent.some((image) => image.eye === 'unknown')

  const change = async (imageId: string, what: ImageChange): Promise<void> => {
    const changed = await runCall(session, 'submissions.update', { id, images: [{ id: imageId, ...what }] })
    if (!changed) return
    moved.current = imageId
    onChanged(changed)
  }
  // A card that goes to another column is a new element: the focus goes with it.
  useEffect(() => {
    const movedId = moved.current
    if (shownId !== null || !images.some((image) => image.id === movedId)) return
    moved.current = null
    if (movedId !== null) focusImage(movedId)
  }, [images, shownId, moved])

  const card = (image: Image) => (
    <ImageCard
      key={image.id}
      image={image}
      isFrozen={isFrozen}
      onOpen={() => setShownId(image.id)}
      onChange={(what) => void change(image.id, what)}
    />
  )
  return (
    <section className={screen.block} aria-labelledby="block-images">
      <h2 id="block-images" className={screen.blockTitle}>
        {SUBMISSION_WORDS.images.title}
        {hasUnassigned && !isFrozen && (
          <span className={screen.hint}>{SUBMISSION_WORDS.images.unassignedHint}</span>
        )}
      </h2>
      <div className={css.columns} data-count={hasUnassigned ? 3 : 2}>
        {EYES.filter((eye) => eye !== 'unknown' || hasUnassigned).map((eye) => (
          <EyeColumn key={eye} eye={eye} count={sent.filter((image) => image.eye === eye).length}>
            {sent.filter((image) => image.eye === eye).map(card)}
          </EyeColumn>
        ))}
      </div>
      {left.length > 0 && (
        <div className={css.left}>
          <h3 className={css.leftTitle}>{SUBMISSION_WORDS.images.excluded}</h3>
          <div className={css.leftCards}>{left.map(card)}</div>
        </div>
      )}
      <ImageViewer
        images={[...EYES.flatMap((eye) => sent.filter((image) => image.eye === eye)), ...left]}
        shownId={shownId}
        isFrozen={isFrozen}
        onShow={setShownId}
        onAssign={(imageId, eye) => void change(imageId, { eye })}
      />
    </section>
  )
}

type EyeColumnProps = { readonly eye: Eye; readonly count: number; readonly children: React.ReactNode }

function EyeColumn({ eye, count, children }: EyeColumnProps) {
  return (
    <div className={css.column} data-eye={eye} role="group" aria-label={`${EYE_WORDS[eye].full}: ${count}`}>
      <h3 className={css.columnTitle}>
        {EYE_WORDS[eye].full}
        <span className="tabular">{count}</span>
      </h3>
      {count === 0 ? <p className={css.none}>{SUBMISSION_WORDS.images.empty}</p> : children}
    </div>
  )
}
