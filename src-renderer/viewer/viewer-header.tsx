import { Modal } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload, IconMaximize, IconX } from '@tabler/icons-react'
import { EYES, type Eye } from '../../src-shared/eye.ts'
import type { Image } from '../../src-shared/submission.ts'
import { formatBytes } from '../format/numbers.ts'
import { useNames } from '../privacy/use-names.ts'
import { t } from '../words/t.ts'
import { nameOf } from './picture-pane.tsx'
import { Tool, ToolGroup } from './tool.tsx'
import css from './viewer-dialog.module.css'
import type { ViewAction } from './viewer-keys.ts'

export type ViewerHeaderProps = {
  readonly historyNumber: string | null | undefined
  readonly image: Image
  readonly index: number
  readonly count: number
  /** May the eye be said here? Of one image alone, whose case is open for change. */
  readonly mayAssign: boolean
  readonly onAssign: (eye: Eye) => void
  readonly onAction: (action: ViewAction) => void
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Which image is shown, of which eye, and the way to the others. */
export function ViewerHeader(props: ViewerHeaderProps) {
  const { historyNumber, image, index, count, mayAssign, onAssign, onAction, onSave, onClose } = props
  const name = nameOf(image, useNames())
  return (
    <Modal.Header className={css.header ?? ''}>
      {historyNumber && <span className={css.dim}>{historyNumber}</span>}
      <Modal.Title className={`truncate ${css.title}`}>{name}</Modal.Title>
      <span className={css.dim}>{formatBytes(image.sizeBytes)}</span>
      {image.excludedBecause !== null && <span className={css.left}>{t('viewer:leftOut')}</span>}
      <span className={css.gap} />
      {mayAssign && (
        <ToolGroup label={t('submission:images.title')}>
          {EYES.map((eye) => (
            <Tool
              key={eye}
              label={t('submission:images.assign', {
                eye: t(`field:eye.${eye}.full`),
                what: name,
              })}
              shortcut={EYE_KEYS[eye]}
              isPressed={image.eye === eye}
              onPress={() => onAssign(eye)}
            >
              {t(`field:eye.${eye}.short`)}
            </Tool>
          ))}
        </ToolGroup>
      )}
      <ToolGroup label={t('viewer:images')}>
        <Tool
          label={t('viewer:tools.previous')}
          shortcut="["
          isPossible={index > 0}
          onPress={() => onAction({ kind: 'step', by: -1 })}
        >
          <IconChevronLeft size={20} aria-hidden />
        </Tool>
        <span className={`tabular ${css.position}`}>
          {t('viewer:tools.position', { index: index + 1, count })}
        </span>
        <Tool
          label={t('viewer:tools.next')}
          shortcut="]"
          isPossible={index < count - 1}
          onPress={() => onAction({ kind: 'step', by: 1 })}
        >
          <IconChevronRight size={20} aria-hidden />
        </Tool>
      </ToolGroup>
      <ToolGroup label={t('viewer:title')}>
        <Tool label={t('viewer:tools.original')} isPossible={image.removedAt === null} onPress={onSave}>
          <IconDownload size={19} aria-hidden />
        </Tool>
        <Tool
          label={t('viewer:tools.fullScreen')}
          shortcut="F"
          onPress={() => onAction({ kind: 'fullScreen' })}
        >
          <IconMaximize size={19} aria-hidden />
        </Tool>
        <Tool label={t('shell:close')} shortcut="Escape" onPress={onClose}>
          <IconX size={20} aria-hidden />
        </Tool>
      </ToolGroup>
    </Modal.Header>
  )
}

const EYE_KEYS: Readonly<Record<Eye, string>> = { right: 'R', left: 'L', unknown: 'U' }
