import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowMerge, IconDotsVertical } from '@tabler/icons-react'
import { useRef } from 'react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { ActionItems } from '../queue/action-items.tsx'
import { MERGEABLE_STATES } from '../queue/joinable.ts'
import { actionsFor, type SubmissionAction } from '../queue/submission-actions.ts'
import { t } from '../words/t.ts'
import { JoinDialog } from './join-dialog.tsx'
import type { Saving } from './use-saving.ts'

const BESIDE_SENDING: readonly SubmissionAction[] = ['hold', 'discard', 'prioritise', 'moveToCenter']

export type MoreActionsProps = {
  readonly details: SubmissionDetails
  /** There is a button that sends. */
  readonly hasSend: boolean
  readonly saving: Saving
  readonly onChanged: (details: SubmissionDetails) => void
}

/** The actions that the big button does not do already. */
export function MoreActions({ details, hasSend, saving, onChanged }: MoreActionsProps) {
  const [isJoining, joining] = useDisclosure(false)
  const button = useRef<HTMLButtonElement>(null)
  const actions = actionsFor(details).filter((action) => !hasSend || BESIDE_SENDING.includes(action))
  const isJoinable = MERGEABLE_STATES.includes(details.state)
  // What is open stays, and says itself that the case has gone on.
  if (actions.length === 0 && !isJoinable && !isJoining) return null
  const join = async (): Promise<void> => {
    // What was typed here and not saved would stay behind in a case that is no more.
    if ((await saving.saveAll()) !== null) joining.open()
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon ref={button} variant="default" size={42} aria-label={t('submission:more')}>
            <IconDotsVertical size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isJoinable && (
            <Menu.Item leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={() => void join()}>
              {t('submission:join.name')}
            </Menu.Item>
          )}
          <ActionItems id={details.id} actions={actions} />
        </Menu.Dropdown>
      </Menu>
      {isJoining && (
        <JoinDialog
          details={details}
          onClose={() => {
            joining.close()
            // The item of the menu that opened it is gone.
            button.current?.focus()
          }}
          onChanged={onChanged}
        />
      )}
    </>
  )
}
