import { ActionIcon, NativeSelect, Switch, TextInput, Tooltip } from '@mantine/core'
import { IconFolder, IconTrash } from '@tabler/icons-react'
import type { FolderStatus } from '../../src-shared/station-status.ts'
import { formatInstant } from '../format/instants.ts'
import { SETTINGS_WORDS } from '../words/settings-words.ts'
import { ExistingDecision } from './existing-decision.tsx'
import { FOLDER_LIMITS, type FolderForm } from './folder-form.ts'
import { NumberSetting } from './number-setting.tsx'
import css from './settings-screen.module.css'

const WORDS = SETTINGS_WORDS.folders
const EXISTING = ['ask', 'include', 'ignore'] as const

export type FolderCardProps = {
  readonly form: FolderForm
  /** How the folder is; null where the station does not know it yet. */
  readonly status: FolderStatus | null
  readonly isChecked: boolean
  readonly onWrite: (change: Partial<FolderForm>) => void
  readonly onRemove: () => void
}

/** One watched folder. */
export function FolderCard({ form, status, isChecked, onWrite, onRemove }: FolderCardProps) {
  const health = status?.health ?? 'notSaved'
  return (
    <section className={css.card} aria-label={form.path === '' ? WORDS.path : form.path}>
      <div className={css.folderHead}>
        <IconFolder size={20} stroke={1.7} aria-hidden />
        <span className={css.health} data-health={health}>
          {health === 'notSaved' ? WORDS.notSaved : WORDS.health[health]}
        </span>
        {status && (
          <span className="dim">
            {status.lastImageAt === null ? WORDS.noImage : WORDS.lastImage(formatInstant(status.lastImageAt))}
          </span>
        )}
        <span className={css.gap} />
        <Tooltip label={WORDS.remove(form.path)}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={WORDS.remove(form.path)}
            onClick={onRemove}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {status?.failure && <p className={css.trouble}>{status.failure.message}</p>}
      {status?.health === 'asking' && <ExistingDecision path={status.path} count={status.existingCount} />}
      <TextInput
        label={WORDS.path}
        description={WORDS.pathHint}
        autoComplete="off"
        spellCheck={false}
        value={form.path}
        error={isChecked && form.path.trim() === '' && WORDS.pathMissing}
        onChange={(event) => onWrite({ path: event.currentTarget.value })}
      />
      <div className={css.triple}>
        {(['settle', 'quiet', 'sweep'] as const).map((name) => (
          <NumberSetting
            key={name}
            label={WORDS[name]}
            unit={WORDS.seconds}
            limits={FOLDER_LIMITS[name]}
            text={form[name]}
            onWrite={(text) => onWrite({ [name]: text })}
          />
        ))}
      </div>
      <NativeSelect
        label={WORDS.existing}
        value={form.existing}
        data={EXISTING.map((value) => ({ value, label: WORDS.existingChoices[value] }))}
        onChange={(event) =>
          onWrite({ existing: EXISTING.find((value) => value === event.currentTarget.value) ?? 'ask' })
        }
      />
      <Switch
        label={WORDS.review}
        description={WORDS.reviewHint}
        checked={form.sendWithoutReview}
        onChange={(event) => onWrite({ sendWithoutReview: event.currentTarget.checked })}
      />
    </section>
  )
}
