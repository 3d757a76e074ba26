import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowMerge, IconX } from '@tabler/icons-react'
import { useShallow } from 'zustand/shallow'
import { useSession, useStation } from '../store/use-station.ts'
import { ACTION_ICONS } from './action-icons.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { runAction } from './run-action.ts'
import css from './selection-bar.module.css'
import { actionsForMany, type SubmissionAction } from './submission-actions.ts'
import { t } from '../words/t.ts'

export type SelectionBarProps = { readonly selected: ReadonlySet<string>; readonly onClear: () => void }

/** What can be done with all that is selected; each button says how many of them it is possible for. */
export function SelectionBar({ selected, onClear }: SelectionBarProps) {
  const session = useSession()
  const [isMerging, merging] = useDisclosure(false)
  const submissions = useStation(
    useShallow((state) => [...selected].flatMap((id) => state.submissions[id] ?? [])),
  )
  if (submissions.length === 0) return null
  const act = async (action: SubmissionAction, ids: readonly string[]): Promise<void> => {
    // What was asked about and not done leaves the selection as it is.
    if (await runAction(session, action, ids)) onClear()
  }
  return (
    <div className={css.bar} role="toolbar" aria-label={t('queue:selected', { count: submissions.length })}>
      <strong className="tabular">{t('queue:selected', { count: submissions.length })}</strong>
      {actionsForMany(submissions).map(({ action, ids }) => {
        const Sign = ACTION_ICONS[action]
        return (
          <Button
            key={action}
            variant={action === 'approve' ? 'filled' : 'default'}
            leftSection={<Sign size={16} aria-hidden />}
            onClick={() => void act(action, ids)}
          >
            {t(`queue:action.${action}.name`)}
            {ids.length < submissions.length && ` (${ids.length})`}
          </Button>
        )
      })}
      {submissions.length > 1 && (
        <Button
          variant="default"
          leftSection={<IconArrowMerge size={16} aria-hidden />}
          onClick={merging.open}
        >
          {t('queue:merge.name')}
        </Button>
      )}
      <MergeDialog
        submissions={submissions}
        isOpen={isMerging}
        onClose={merging.close}
        onMerged={() => {
          merging.close()
          onClear()
        }}
      />
      <span className={css.gap} />
      <Button variant="subtle" color="gray" leftSection={<IconX size={16} aria-hidden />} onClick={onClear}>
        {t('queue:clearSelection')}
      </Button>
    </div>
  )
}
