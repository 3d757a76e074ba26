import { ActionIcon, Button, Modal, SegmentedControl, Tooltip } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import { EYES, type Eye } from '../../src-shared/eye.ts'
import type { Image } from '../../src-shared/submission.ts'
import { formatBytes } from '../format/numbers.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { Photo } from '../parts/photo.tsx'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { EYE_WORDS } from '../words/field-words.ts'
import { PART_WORDS } from '../words/part-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import css from './image-viewer.module.css'

export type ImageViewerProps = {
  readonly images: readonly Image[]
  readonly shownId: string | null
  readonly isFrozen: boolean
  readonly onShow: (id: string | null) => void
  readonly onAssign: (id: string, eye: Eye) => void
}

const WORDS = SUBMISSION_WORDS.viewer
const EYE_KEYS: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', u: 'unknown' }

/** One image as large as the window, on black. */
export function ImageViewer({ images, shownId, isFrozen, onShow, onAssign }: ImageViewerProps) {
  const [scale, setScale] = useState<'fit' | 'full'>('fit')
  const index = images.findIndex((image) => image.id === shownId)
  const image = images[index]
  const step = (by: number): void => {
    const next = images[index + by]
    if (next) onShow(next.id)
  }
  const press = (event: KeyboardEvent): void => {
    if (!image || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '[') step(-1)
    else if (event.key === ']') step(1)
    else if (event.key === '0') setScale('fit')
    else if (event.key === '1') setScale('full')
    else {
      const eye = EYE_KEYS[event.key.toLowerCase()]
      if (eye !== undefined && !isFrozen && image.excludedBecause === null) onAssign(image.id, eye)
    }
  }
  return (
    <Modal.Root
      opened={image !== undefined}
      onClose={() => onShow(null)}
      fullScreen
      transitionProps={{ duration: 90 }}
    >
      <Modal.Overlay />
      <Modal.Content className={css.content ?? ''} onKeyDown={press}>
        {image && (
          <>
            <Modal.Header className={css.header ?? ''}>
              <EyeMark eye={image.eye} />
              <Modal.Title className="truncate">{image.fileName}</Modal.Title>
              <span className={css.dim}>{formatBytes(image.sizeBytes)}</span>
              <span className={css.gap} />
              <div className={css.tools}>
                {!isFrozen && image.excludedBecause === null && (
                  <Button.Group>
                    {EYES.map((eye) => (
                      <Button
                        key={eye}
                        variant={image.eye === eye ? 'filled' : 'default'}
                        size="compact-md"
                        aria-pressed={image.eye === eye}
                        aria-label={SUBMISSION_WORDS.images.assign(EYE_WORDS[eye].full, image.fileName)}
                        onClick={() => onAssign(image.id, eye)}
                      >
                        {EYE_WORDS[eye].short}
                      </Button>
                    ))}
                  </Button.Group>
                )}
                <SegmentedControl
                  size="xs"
                  aria-label={WORDS.title}
                  value={scale}
                  data={[
                    { value: 'fit', label: WORDS.fit },
                    { value: 'full', label: WORDS.full },
                  ]}
                  onChange={(value) => setScale(value === 'full' ? 'full' : 'fit')}
                />
                <Step word={WORDS.previous} isPossible={index > 0} onStep={() => step(-1)}>
                  <IconChevronLeft size={20} aria-hidden />
                </Step>
                <span className="tabular">{WORDS.position(index + 1, images.length)}</span>
                <Step word={WORDS.next} isPossible={index < images.length - 1} onStep={() => step(1)}>
                  <IconChevronRight size={20} aria-hidden />
                </Step>
                <Modal.CloseButton aria-label={SHELL_WORDS.close} size={36} />
              </div>
            </Modal.Header>
            <div className={css.stage} data-scale={scale}>
              <Photo
                key={image.id}
                id={image.id}
                // A browser draws no TIFF; its thumbnail is a JPEG.
                isWhole={image.contentType !== 'image/tiff'}
                className={css.photo ?? ''}
                alt={PART_WORDS.photo(EYE_WORDS[image.eye].name, image.fileName)}
              />
            </div>
            <p className={css.note}>
              {image.contentType === 'image/tiff' ? `${WORDS.tiff} ` : ''}
              {WORDS.notForDiagnosis}
            </p>
          </>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}

type StepProps = {
  readonly word: string
  readonly isPossible: boolean
  readonly onStep: () => void
  readonly children: React.ReactNode
}

function Step({ word, isPossible, onStep, children }: StepProps) {
  return (
    <Tooltip label={word}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={word}
        disabled={!isPossible}
        onClick={onStep}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
