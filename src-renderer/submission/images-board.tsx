/** The board of images: by eye, with cards and keys. */
import { Checkbox, Group, Stack, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Eye, EYES } from '../../src-shared/measurement-ranges.ts'
import { type Image, isPending, STRAYED_IMAGE } from '../../src-shared/submission.ts'
import { baseName, type BoardImage, boardImages, openLabel, Photo } from '../components/photo.tsx'
import { SmallButton } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { ImageViewer } from '../viewer/viewer.tsx'
import { AddedFiles, AddImagesButton } from './add-images.tsx'
import { elementId, focusOn, type OpenCase, useCase } from './form.ts'
import { ExcludeControl, ReasonPopover } from './exclude-image.tsx'
import eyeCss from '../components/eye-choice.module.css'
import photoCss from '../components/photo.module.css'
import css from './images-board.module.css'
import { GroupingBar } from './regroup.tsx'
import screen from './submission-screen.module.css'
import { UnusableFiles } from './unusable-files.tsx'

type EyeColumnProps = { readonly eye: Eye; readonly count: number; readonly children: ReactNode }

/** The images of one eye. */
function EyeColumn({ eye, count, children }: EyeColumnProps) {
  return (
    <div
      className={css.column}
      data-eye={eye}
      role="group"
      aria-label={`${t(`field:eye.${eye}.full`)}: ${count}`}
    >
      <h3 className={eyeCss.title}>
        {t(`field:eye.${eye}.full`)}
        <span className="tabular">{count}</span>
      </h3>
      {count === 0 && <p className="dim">{t('submission:images.empty')}</p>}
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
  const { excludedBecause } = image
  return (
    <Stack component="p" gap={0} miw={0} p="5px 8px 0" className="small breakable">
      <span className="truncate" title={names.fileName(image.fileName)}>
        {name}
      </span>
      {image.view && <span className="dim">{image.view}</span>}
      {twins.map((twin) => {
        const twinFile = names.fileName(twin.fileName)
        return (
          <span key={twin.id} className="dim" title={`${twinFile}. ${t('submission:images.twinMeans')}`}>
            {t('submission:images.twin', {
              type: t(`submission:images.types.${twin.contentType}`),
              name: baseName(twinFile),
            })}
          </span>
        )
      })}
      {excludedBecause !== null && (
        <span>{excludedBecause === STRAYED_IMAGE ? t('submission:images.strayed') : excludedBecause}</span>
      )}
    </Stack>
  )
}

const EYE_KEYS: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', u: 'unknown' }

type ImageCardProps = {
  readonly shown: BoardImage
  readonly isSelected: boolean
  readonly onOpen: () => void
  readonly onSelect: (isSelected: boolean) => void
  readonly onChange: (changes: ImageChange) => void
}

function ImageCard({ shown, isSelected, onOpen, onSelect, onChange }: ImageCardProps) {
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
      onKeyDown={press}
    >
      <UnstyledButton className={photoCss.open} aria-label={openLabel(image, name)} onClick={onOpen}>
        <Photo image={image} className={photoCss.whole} />
      </UnstyledButton>
      <Group gap={0} wrap="nowrap" align="flex-start" justify="space-between">
        <ImageFacts image={image} name={name} twins={twins} />
        {!isFrozen && (
          <Checkbox
            p="0 var(--above)"
            aria-label={t('queue:select', { who: name })}
            checked={isSelected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        )}
      </Group>
      {!isFrozen && (
        <Group gap={4} wrap="nowrap" p="5px 6px 6px">
          {image.excludedBecause === null &&
            EYES.map((eye) => (
              <UnstyledButton
                key={eye}
                className={css.eye}
                data-eye={eye}
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

const COMMON_REASONS = ['absent', 'opaque', 'pupil', 'cooperation'] as const

type NoImageControlProps = {
  readonly eye: Exclude<Eye, 'unknown'>
  readonly reason: string | undefined
  readonly hasImages: boolean
  /** Is a file of this eye decided on above? */
  readonly isAsked: boolean
  readonly onReason: (reason: string | null) => void
}

function NoImageControl({ eye, reason, hasImages, isAsked, onReason }: NoImageControlProps) {
  const { isFrozen } = useCase()
  const lastReason = useRef<string | null>(null)
  const submitReason = (why: string | null): void => {
    lastReason.current = why ?? ''
    onReason(why)
  }
  // Another button replaces this one: it gets the focus, which would else return to the top of the page.
  useEffect(() => {
    if (lastReason.current !== (reason ?? '')) return
    lastReason.current = null
    focusOn(elementId('no-image', eye))
  }, [eye, reason])
  if (reason === undefined && (isFrozen || hasImages || isAsked)) return null
  const name = t('submission:noImage.askFor', { eye: t(`field:eye.${eye}.full`) })
  return (
    <Stack
      gap={6}
      align="center"
      ta="center"
      className={`small breakable ${css.noImage}`}
      id={elementId('no-image', eye)}
    >
      {reason === undefined ? (
        <ReasonPopover
          name={name}
          renderButton={(toggle) => (
            <SmallButton aria-label={name} onClick={toggle}>
              {t('submission:noImage.ask')}
            </SmallButton>
          )}
          explain={t('submission:noImage.explain')}
          usual={COMMON_REASONS.map((one) => t(`submission:noImage.usual.${one}`))}
          action={t('submission:noImage.action')}
          onReason={submitReason}
        />
      ) : (
        <>
          <p>
            <strong>{t('submission:noImage.because')}</strong> {reason}
          </p>
          {hasImages && <p className="bold amber">{t('submission:noImage.butImages')}</p>}
          {!isFrozen && (
            <SmallButton onClick={() => submitReason(null)}>{t('submission:noImage.takeBack')}</SmallButton>
          )}
        </>
      )}
    </Stack>
  )
}

type ImageChange = Omit<NonNullable<Parameters<OpenCase['change']>[0]['images']>[number], 'id'>

const NO_IDS: ReadonlySet<string> = new Set()

export function ImagesBoard() {
  const { details, isFrozen, change } = useCase()
  const [shownId, setShownId] = useState<string | null>(null)
  const [chosen, setChosen] = useState(NO_IDS)
  const moved = useRef<string | null>(null)
  const { images, noImageBecause } = details
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
      <Group gap="4px 10px" mih={30} align="baseline">
        <h2 id="block-images" className={screen.blockTitle}>
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
        <div className={css.columns}>
          {EYES.filter((eye) => eye !== 'unknown' || hasUnassigned).map((eye) => (
            <EyeColumn key={eye} eye={eye} count={ofEye(eye).length}>
              {ofEye(eye).map(card)}
              {eye !== 'unknown' && (
                <NoImageControl
                  eye={eye}
                  reason={noImageBecause[eye]}
                  hasImages={ofEye(eye).length > 0}
                  isAsked={details.unusableFiles.some((file) => file.eye === eye && isPending(file))}
                  onReason={(reason) => setNoImageReason(eye, reason)}
                />
              )}
            </EyeColumn>
          ))}
        </div>
      )}
      {left.length > 0 && (
        <Stack gap={6} mt={14}>
          <h3 className="small dim">{t('submission:images.excluded')}</h3>
          <div className={css.left}>{left.map(card)}</div>
        </Stack>
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
