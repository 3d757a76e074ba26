/** The board of images: by eye, with dragging, keys and cards. */
import { Checkbox, Group, UnstyledButton } from '@mantine/core'
import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Eye, EYES } from '../../src-shared/measurement-ranges.ts'
import { type Image, STRAYED_IMAGE } from '../../src-shared/submission.ts'
import type { Standing } from '../../src-shared/verdict.ts'
import { baseName, type BoardImage, boardImages, Photo } from '../components/photo.tsx'
import { formatBytes } from '../format/numbers.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { namesNow, useNames } from '../privacy/names.tsx'
import { showToast } from '../shell/toast.tsx'
import { ImageViewer } from '../viewer/viewer.tsx'
import { AddedFiles, AddImagesButton } from './add-images.tsx'
import { elementId, focusOn, type OpenCase, useCase } from './form.ts'
import { ExcludeControl } from './exclude-image.tsx'
import { GroupingBar, NoImageControl } from './image-actions.tsx'
import css from './images-board.module.css'
import { openLabel } from './move-dialog.tsx'
import screen from './submission-screen.module.css'
import { UnusableFiles } from './unusable-files.tsx'

/** Our own type, so that no file or text from elsewhere counts as an image of this case. */
const DRAGGED_IMAGE = 'application/x-fundus-courier-image'

function isImageDrag(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(DRAGGED_IMAGE)
}

type EyeColumnProps = {
  readonly eye: Eye
  readonly count: number
  /** Called after a drop; null if the case is read-only. */
  readonly onDrop: ((event: DragEvent) => void) | null
  readonly children: ReactNode
}

/** The images of one eye, and a drop target. Only a person's drop assigns an eye; no order ever does. */
function EyeColumn({ eye, count, onDrop, children }: EyeColumnProps) {
  const [isDragOver, setDragOver] = useState(false)
  const handleDragOver = (event: DragEvent): void => {
    if (onDrop === null || !isImageDrag(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    setDragOver(true)
  }
  const leave = (event: DragEvent): void => {
    const { currentTarget, relatedTarget } = event
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDragOver(false)
  }
  const drop = (event: DragEvent): void => {
    setDragOver(false)
    if (onDrop === null || !isImageDrag(event)) return
    event.preventDefault()
    onDrop(event)
  }
  return (
    <div
      className={css.column}
      data-eye={eye}
      data-over={isDragOver}
      role="group"
      aria-label={`${t(`field:eye.${eye}.full`)}: ${count}`}
      onDragOver={handleDragOver}
      onDragLeave={leave}
      onDrop={drop}
    >
      <h3 className={css.columnTitle}>
        {t(`field:eye.${eye}.full`)}
        <span className="tabular">{count}</span>
      </h3>
      {count === 0 && <p className={css.none}>{t('submission:images.empty')}</p>}
      {children}
    </div>
  )
}

type ImageFactsProps = {
  readonly image: Image
  readonly name: string
  readonly twins: readonly Image[]
}

function ImageFacts({ image, name, twins }: ImageFactsProps) {
  const names = useNames()
  const { sentAs, contentType, excludedBecause } = image
  return (
    <p className={css.caption}>
      <span className={`${css.file} truncate`} title={names.fileName(image.fileName)}>
        {name}
      </span>
      <span className={css.source}>{joinTexts(image.view, formatBytes(image.sizeBytes))}</span>
      {twins.map((twin) => {
        const twinFile = names.fileName(twin.fileName)
        return (
          <span
            key={twin.id}
            className={css.source}
            title={`${twinFile}. ${t('submission:images.twinMeans')}`}
          >
            {t('submission:images.twin', {
              type: t(`submission:images.types.${twin.contentType}`),
              name: baseName(twinFile),
            })}
          </span>
        )
      })}
      {sentAs && excludedBecause === null && (
        <span className={css.source} title={formatBytes(sentAs.sizeBytes)}>
          {t(
            contentType === 'application/dicom'
              ? 'submission:images.sentAsFromDicom'
              : 'submission:images.sentAs',
            { type: t(`submission:images.types.${sentAs.contentType}`) },
          )}
        </span>
      )}
      {excludedBecause !== null && (
        <span className={css.why}>
          {excludedBecause === STRAYED_IMAGE ? t('submission:images.strayed') : excludedBecause}
        </span>
      )}
    </p>
  )
}

const EYE_KEYS: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', u: 'unknown' }

type ImageCardProps = {
  readonly shown: BoardImage
  /** How its eye stands; null if it is not sent. */
  readonly standing: Standing['kind'] | null
  readonly isSelected: boolean
  readonly onOpen: () => void
  readonly onSelect: (isSelected: boolean) => void
  readonly onChange: (changes: ImageChange) => void
}

function ImageCard({ shown, standing, isSelected, onOpen, onSelect, onChange }: ImageCardProps) {
  const { image, twins } = shown
  const { isFrozen } = useCase()
  const name = useNames().fileName(baseName(image.fileName))
  const press = (event: KeyboardEvent): void => {
    if (isFrozen || event.ctrlKey || event.metaKey || event.altKey) return
    // Typing a reason does not assign an eye.
    if (event.target instanceof Element && event.target.matches('input:not([type="checkbox"]), textarea'))
      return
    const eye = EYE_KEYS[event.key.toLowerCase()]
    if (eye !== undefined && eye !== image.eye) onChange({ eye })
  }
  return (
    <article
      id={elementId('image', image.id)}
      className={css.card}
      data-excluded={image.excludedBecause !== null}
      data-selected={isSelected}
      aria-label={name}
      draggable={!isFrozen && image.excludedBecause === null}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(DRAGGED_IMAGE, image.id)
        dataTransfer.effectAllowed = 'move'
      }}
      onKeyDown={press}
    >
      <UnstyledButton className={css.open} aria-label={openLabel(image, name)} onClick={onOpen}>
        <Photo image={image} className={css.photo} />
      </UnstyledButton>
      <div className={css.captionLine}>
        <ImageFacts image={image} name={name} twins={twins} />
        {!isFrozen && (
          <Checkbox
            p="7px 8px 0 0"
            aria-label={t('queue:select', { who: name })}
            checked={isSelected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        )}
      </div>
      {!isFrozen && (
        <Group gap={4} wrap="nowrap" p="5px 6px 6px">
          {image.excludedBecause === null &&
            EYES.map((eye) => (
              <UnstyledButton
                key={eye}
                className={css.eye}
                data-eye={eye}
                data-standing={standing}
                aria-pressed={image.eye === eye}
                aria-label={t('submission:images.assign', { eye: t(`field:eye.${eye}.full`), what: name })}
                onClick={() => image.eye !== eye && onChange({ eye })}
              >
                {t(`field:eye.${eye}.short`)}
              </UnstyledButton>
            ))}
          <ExcludeControl
            name={name}
            reason={image.excludedBecause}
            onChange={(excludedBecause) => onChange({ excludedBecause })}
          />
        </Group>
      )}
    </article>
  )
}

type ImageChange = Omit<NonNullable<Parameters<OpenCase['change']>[0]['images']>[number], 'id'>

const NO_IDS: ReadonlySet<string> = new Set()

export function ImagesBoard() {
  const { details, isFrozen, change } = useCase()
  const [shownId, setShownId] = useState<string | null>(null)
  const [chosen, setChosen] = useState(NO_IDS)
  const moved = useRef<string | null>(null)
  const { images, noImageBecause, verdict } = details
  const mayAdd = details.isByHand && !isFrozen
  const isInviting = mayAdd && images.length === 0
  const all = boardImages(images)
  const sent = all.filter(({ image }) => image.excludedBecause === null)
  const left = all.filter(({ image }) => image.excludedBecause !== null)
  const ofEye = (eye: Eye) => sent.filter(({ image }) => image.eye === eye)
  const hasUnassigned = ofEye('unknown').length > 0

  const changeImage = (imageId: string, what: ImageChange): void => {
    moved.current = imageId
    void change({ images: [{ id: imageId, ...what }] })
  }
  /** A slip with the mouse can be undone as easily. */
  const dropOn = async (eye: Eye, event: DragEvent): Promise<void> => {
    const droppedId = event.dataTransfer.getData(DRAGGED_IMAGE)
    const image = images.find((one) => one.id === droppedId)
    if (!image || image.eye === eye) return
    moved.current = image.id
    if (!(await change({ images: [{ id: image.id, eye }] }))) return
    const what = namesNow().fileName(baseName(image.fileName))
    showToast({
      message: t('submission:images.assign', { what, eye: t(`field:eye.${eye}.full`) }),
      action: {
        label: t('shell:undo'),
        run: () => void change({ images: [{ id: image.id, eye: image.eye }] }),
      },
    })
  }
  const setNoImageReason = (eye: 'right' | 'left', reason: string | null): void => {
    // The call replaces the statements of both eyes.
    const { [eye]: _before, ...others } = noImageBecause
    void change({ noImageBecause: reason === null ? others : { ...others, [eye]: reason } })
  }
  // A card in another column is a new element, so the focus is moved to it.
  useEffect(() => {
    const movedId = moved.current
    if (shownId !== null || !images.some((image) => image.id === movedId)) return
    moved.current = null
    if (movedId !== null) focusOn(elementId('image', movedId))
  }, [images, shownId, moved])

  const card = (shown: BoardImage) => (
    <ImageCard
      key={shown.image.id}
      shown={shown}
      standing={verdict.eyes[shown.image.id]?.kind ?? null}
      isSelected={chosen.has(shown.image.id)}
      onOpen={() => setShownId(shown.image.id)}
      onSelect={(isSelected) =>
        setChosen((before) => {
          const others = [...before].filter((id) => id !== shown.image.id)
          return new Set(isSelected ? [...others, shown.image.id] : others)
        })
      }
      onChange={(what) => changeImage(shown.image.id, what)}
    />
  )
  return (
    <section className={screen.block} aria-labelledby="block-images">
      <Group gap="4px 10px" mih={30} mb={8}>
        <h2 id="block-images" className={css.title}>
          {t('submission:images.title')}
        </h2>
        {mayAdd && !isInviting && <AddImagesButton />}
        {!isFrozen && !isInviting && (
          <GroupingBar
            shown={all}
            chosen={all.filter(({ image }) => chosen.has(image.id)).map(({ image }) => image)}
            onMoved={() => setChosen(NO_IDS)}
          />
        )}
      </Group>
      <UnusableFiles />
      <AddedFiles mayAdd={mayAdd} />
      {!isInviting && (
        <div className={css.columns} data-count={hasUnassigned ? 3 : 2}>
          {EYES.filter((eye) => eye !== 'unknown' || hasUnassigned).map((eye) => (
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
                  onReason={(reason) => setNoImageReason(eye, reason)}
                />
              )}
            </EyeColumn>
          ))}
        </div>
      )}
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
