import { Menu } from '@mantine/core'
import { useSession } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import { ACTION_ICONS } from './action-icons.ts'
import { runAction } from './run-action.ts'
import type { SubmissionAction } from './submission-actions.ts'

export type ActionItemsProps = { readonly id: string; readonly actions: readonly SubmissionAction[] }

/** What can be done with one submission, as the items of a menu. */
export function ActionItems({ id, actions }: ActionItemsProps) {
  const session = useSession()
  return actions.map((action) => {
    const Sign = ACTION_ICONS[action]
    return (
      <Menu.Item
        key={action}
        leftSection={<Sign size={16} aria-hidden />}
        onClick={() => void runAction(session, action, [id])}
      >
        {t(`queue:action.${action}.name`)}
      </Menu.Item>
    )
  })
}
