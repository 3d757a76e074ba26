import { Modal, UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload, IconX } from '@tabler/icons-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { EYE_CODES, EYES, type Eye } from '../../src-shared/eye.ts'
import type { Image } from '../../src-shared/submission.ts'
import { formatBytes } from '../format/numbers.ts'
import { BytesUnavailable } from '../link/station-link.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { offerDownload } from '../parts/offer-download.ts'
import { Photo } from '../parts/photo.tsx'
import { tell } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { downloadName } from './board-images.ts'
import css from './image-viewer.module.css'
import { t } from '../words/t.ts'

export type ImageViewerProps = {
  /** Names the files that are saved from here, which carry no patient data. */
  readonly reference: string
  readonly images: readonly Image[]
  readonly shownId: string | null
  readonly isFrozen: boolean
  readonly onShow: (id: string | null) => void
  readonly onAssign: (id: string, eye: Eye) => void
}

const EYE_KEYS: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', u: 'unknown' }

/** One image as large as the window, on black. */
export function ImageViewer({ reference, images, shownId, isFrozen, onShow, onAssign }: ImageViewerProps) {
  const session = useSession()
  const [scale, setScale] = useState<'fit' | 'full'>('fit')
  const index = images.findIndex((image) => image.id === shownId)
  const image = images[index]
  const step = (by: number): void => {
    const next = images[index + by]
    if (next) onShow(next.id)
  }
  const saveOriginal = async (shown: Image): Promise<void> => {
    try {
      const blob = await session.link.readBytes('original', shown.id)
      offerDownload(blob, downloadName(reference, EYE_CODES[shown.eye], index + 1, shown))
    } catch (error) {
      if (!(error instanceof BytesUnavailable)) throw error
      tell({
        tone: 'red',
        title: t('submission:viewer.notSaved.title'),
        message: t('submission:viewer.notSaved.message'),
      })
    }
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
                {!isFrozen &&
                  image.excludedBecause === null &&
                  EYES.map((eye) => (
                    <Tool
                      key={eye}
                      label={t('submission:images.assign', {
                        eye: t(`field:eye.${eye}.full`),
                        what: image.fileName,
                      })}
                      isPressed={image.eye === eye}
                      onPress={() => onAssign(image.id, eye)}
                    >
                      {t(`field:eye.${eye}.short`)}
                    </Tool>
                  ))}
                <span className={css.line} />
                <Tool
                  label={t('submission:viewer.fit')}
                  isPressed={scale === 'fit'}
                  onPress={() => setScale('fit')}
                >
                  {t('submission:viewer.fit')}
                </Tool>
                <Tool
                  label={t('submission:viewer.full')}
                  isPressed={scale === 'full'}
                  onPress={() => setScale('full')}
                >
                  {t('submission:viewer.full')}
                </Tool>
                <span className={css.line} />
                <Tool label={t('submission:viewer.previous')} isPossible={index > 0} onPress={() => step(-1)}>
                  <IconChevronLeft size={20} aria-hidden />
                </Tool>
                <span className="tabular">
                  {t('submission:viewer.position', { index: index + 1, count: images.length })}
                </span>
                <Tool
                  label={t('submission:viewer.next')}
                  isPossible={index < images.length - 1}
                  onPress={() => step(1)}
                >
                  <IconChevronRight size={20} aria-hidden />
                </Tool>
                <span className={css.line} />
                <Tool
                  label={t('submission:viewer.original')}
                  isPossible={image.removedAt === null}
                  onPress={() => void saveOriginal(image)}
                >
                  <IconDownload size={19} aria-hidden />
                </Tool>
                <Tool label={t('shell:close')} onPress={() => onShow(null)}>
                  <IconX size={20} aria-hidden />
                </Tool>
              </div>
            </Modal.Header>
            <div className={css.stage} data-scale={scale}>
              <Photo
                key={image.id}
                image={image}
                // A browser draws no TIFF; its thumbnail is a JPEG.
                isWhole={image.contentType !== 'image/tiff'}
                className={css.photo ?? ''}
                alt={t('part:photo', { eye: t(`field:eye.${image.eye}.name`), fileName: image.fileName })}
              />
            </div>
            <p className={css.note}>
              {noteOn(image)}
              {t('submission:viewer.notForDiagnosis')}
            </p>
          </>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}

/** What is shown is not always what is sent. */
function noteOn({ contentType, sentAs, removedAt }: Image): string {
  if (removedAt !== null) return `${t('submission:images.removedMeans')} `
  if (contentType === 'image/tiff') return `${t('submission:viewer.tiff')} `
  if (contentType !== 'application/dicom') return ''
  return `${sentAs ? t('submission:viewer.dicomPicture') : t('submission:viewer.dicomWhole')} `
}

type ToolProps = {
  readonly label: string
  /** For tools that are on or off. */
  readonly isPressed?: boolean
  readonly isPossible?: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

/** A button that is dark in both themes, as all of the viewer is. */
function Tool({ label, isPressed, isPossible = true, onPress, children }: ToolProps) {
  return (
    <UnstyledButton
      className={css.tool}
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      disabled={!isPossible}
      onClick={onPress}
    >
      {children}
    </UnstyledButton>
  )
}
