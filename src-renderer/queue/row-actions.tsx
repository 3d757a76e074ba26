/** The actions of a row: a button for the likeliest and a menu for the others. */
import { ActionIcon, type ActionIconProps, Button, type ElementProps, Menu } from '@mantine/core'
import {
  type Icon,
  IconArrowBackUp,
  IconArrowBarToUp,
  IconBuildingHospital,
  IconCheck,
  IconDotsVertical,
  IconExternalLink,
  IconFolderCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSquareX,
  IconTrash,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Submission } from '../../src-shared/submission.ts'
import { t } from '../i18n/i18n.ts'
import { type Route, writeRoute } from '../shell/navigation.tsx'
import { useSession } from '../store/use-station.ts'
import css from './queue-table.module.css'
import { runAction } from './run-action.ts'
import { actionsFor, type SubmissionAction } from './selection.ts'

export const ACTION_ICONS: Readonly<Record<SubmissionAction, Icon>> = {
  approve: IconCheck,
  retry: IconRefresh,
  release: IconPlayerPlay,
  prioritise: IconArrowBarToUp,
  closeNow: IconFolderCheck,
  hold: IconPlayerPause,
  cancel: IconSquareX,
  moveToCenter: IconBuildingHospital,
  restore: IconArrowBackUp,
  discard: IconTrash,
}

type ActionItemsProps = { readonly id: string; readonly actions: readonly SubmissionAction[] }

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

type RowActionsProps = { readonly submission: Submission; readonly patient: string }

/** The likeliest action as a button, all others in a menu. */
export function RowActions({ submission, patient }: RowActionsProps) {
  const session = useSession()
  const link = linkFor(submission)
  const actions = actionsFor(submission)
  const first = link ? undefined : actions.find((action) => action !== 'discard')
  return (
    <span className={css.actions}>
      {link && (
        <Button
          component="a"
          href={writeRoute(link.to)}
          size="sm"
          px={13}
          variant={link.isUrgent ? 'light' : 'default'}
          aria-label={`${link.label}: ${patient}`}
        >
          {link.label}
        </Button>
      )}
      {first && (
        <Button
          size="sm"
          px={13}
          variant={first === 'approve' ? 'filled' : 'default'}
          aria-label={`${t(`queue:action.${first}.name`)}: ${patient}`}
          onClick={() => void runAction(session, first, [submission.id])}
        >
          {t(`queue:action.${first}.name`)}
        </Button>
      )}
      <RowMenu
        submission={submission}
        patient={patient}
        actions={actions.filter((action) => action !== first)}
      />
    </span>
  )
}

type RowMenuProps = RowActionsProps & { readonly actions: readonly SubmissionAction[] }

/** The menu, rendered when it is first opened: a page full of unopened menus is slow. */
function RowMenu({ submission, patient, actions }: RowMenuProps) {
  const [isBuilt, setBuilt] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const build = (): void => {
    flushSync(() => setBuilt(true))
    // The real menu button replaces the pressed one. The menu opens from the focus and returns it there.
    button.current?.focus()
    button.current?.click()
  }
  if (!isBuilt)
    return <MenuButton patient={patient} aria-haspopup="menu" aria-expanded={false} onClick={build} />
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <MenuButton ref={button} patient={patient} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={writeRoute({ screen: 'submission', id: submission.id })}
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('queue:look')}
        </Menu.Item>
        <ActionItems id={submission.id} actions={actions} />
      </Menu.Dropdown>
    </Menu>
  )
}

type MenuButtonProps = ActionIconProps &
  ElementProps<'button', keyof ActionIconProps> & { readonly patient: string }

function MenuButton({ patient, ...rest }: MenuButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={t('queue:more', { who: patient })}
      {...rest}
    >
      <IconDotsVertical size={18} aria-hidden />
    </ActionIcon>
  )
}

type RowLink = { readonly label: string; readonly to: Route; readonly isUrgent: boolean }

/** The link for states whose next step is a screen: details to complete, a delivery to decide on, a report. */
function linkFor({ id, state, caseId, hasReport }: Submission): RowLink | null {
  const here: Route = { screen: 'submission', id }
  switch (state) {
    case 'incomplete':
      return { label: t('queue:complete'), to: here, isUrgent: true }
    case 'unconfirmed':
      return { label: t('queue:decide'), to: here, isUrgent: true }
    case 'refused':
      return { label: t('queue:look'), to: here, isUrgent: true }
    case 'sent':
      return hasReport && caseId !== null
        ? {
            label: t('queue:openReport'),
            to: { screen: 'reports', caseId, submissionId: id },
            isUrgent: true,
          }
        : { label: t('queue:look'), to: here, isUrgent: false }
    case 'sending':
      return { label: t('queue:look'), to: here, isUrgent: false }
    case 'collecting':
    case 'review':
    case 'waiting':
    case 'held':
    case 'discarded':
      return null
  }
}
