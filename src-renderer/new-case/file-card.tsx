import { ActionIcon, Button, Progress, UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconX } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { EYES, type Eye } from '../../src-shared/eye.ts'
import { formatBytes } from '../format/numbers.ts'
import { useNames } from '../privacy/use-names.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'
import { MAX_FILE_SIZE_TEXT, type ChosenFile, type UploadRefusal } from './chosen-files.ts'
import { FilePreview } from './file-preview.tsx'
import css from './new-case.module.css'

const EYE_KEYS: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', u: 'unknown' }

export type FileCardProps = {
  readonly chosen: ChosenFile
  /** The name of another chosen file that is the same image. */
  readonly sameAs: string | null
  readonly onEye: (eye: Eye) => void
  readonly onRemove: () => void
  readonly onTryAgain: () => void
}

/** One chosen file: what it shows, which eye that is, and whether the station has it. */
export function FileCard({ chosen, sameAs, onEye, onRemove, onTryAgain }: FileCardProps) {
  const { file, eye } = chosen
  const name = useNames().fileName(file.name)
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const chosenEye = EYE_KEYS[event.key.toLowerCase()]
    if (chosenEye !== undefined && chosenEye !== eye) onEye(chosenEye)
  }
  return (
    <article className={css.card} aria-label={name} onKeyDown={press}>
      <FilePreview file={file} alt={name} />
      <div className={css.caption}>
        <span className="truncate" title={name}>
          {name}
        </span>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={t('newCase:remove', { what: name })}
          onClick={onRemove}
        >
          <IconX size={17} aria-hidden />
        </ActionIcon>
      </div>
      <div className={css.state}>
        <FileState chosen={chosen} sameAs={sameAs} onTryAgain={onTryAgain} />
      </div>
      <div className={css.eyes} role="group" aria-label={t('newCase:eyeOf', { what: name })}>
        {EYES.map((one) => (
          <UnstyledButton
            key={one}
            className={css.eye}
            data-eye={one}
            aria-pressed={eye === one}
            aria-label={t('submission:images.assign', { eye: t(`field:eye.${one}.full`), what: name })}
            onClick={() => eye !== one && onEye(one)}
          >
            {t(`field:eye.${one}.short`)}
          </UnstyledButton>
        ))}
      </div>
    </article>
  )
}

function FileState({ chosen, sameAs, onTryAgain }: Pick<FileCardProps, 'chosen' | 'sameAs' | 'onTryAgain'>) {
  const { file, state } = chosen
  const name = useNames().fileName(file.name)
  const size = formatBytes(file.size)
  switch (state.kind) {
    case 'waiting':
      return <span>{`${size} \u00b7 ${t('newCase:waiting')}`}</span>
    case 'sending':
      return (
        <>
          <span>{size}</span>
          <Progress
            className={css.progress ?? ''}
            value={(state.sentBytes / file.size) * 100}
            aria-label={t('newCase:sending', { what: name })}
          />
        </>
      )
    case 'kept':
      if (sameAs !== null) return <span className={css.refused}>{t('newCase:same', { what: sameAs })}</span>
      return (
        <span className={css.kept}>
          <IconCircleCheck size={15} aria-hidden />
          {`${size} \u00b7 ${t('newCase:handedOver')}`}
        </span>
      )
    case 'refused':
      return (
        <>
          <span className={css.refused}>{t('newCase:failed', { why: refusalText(state.why) })}</span>
          {state.mayTryAgain && (
            <Button size="compact-sm" variant="default" onClick={onTryAgain}>
              {t('newCase:tryAgain')}
            </Button>
          )}
        </>
      )
  }
}

function refusalText(why: UploadRefusal): string {
  if (typeof why === 'object') return said(why.message)
  return why === 'empty' ? t('newCase:empty') : t('newCase:tooLarge', { size: MAX_FILE_SIZE_TEXT })
}
