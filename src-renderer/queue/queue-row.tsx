/** A row of the queue. */
import { ActionIcon, type ActionIconProps, Button, Checkbox, type ElementProps, Menu } from '@mantine/core'
import { IconArrowBarToUp, IconChevronRight, IconDotsVertical, IconExternalLink } from '@tabler/icons-react'
import { memo, type MouseEvent, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { restsOnProposal } from '../../src-shared/verdict.ts'
import { CaseBadge } from '../components/badges.tsx'
import { LinkButton } from '../components/controls.tsx'
import { isSent, Photo } from '../components/photo.tsx'
import { formatCalendarDay, formatExactly, formatInstant, formatShortly } from '../format/dates.ts'
import { formatBytes, formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { goTo, lazyScreen, type Route, writeRoute } from '../shell/navigation.tsx'
import { useSession, useStation } from '../store/use-station.ts'
import { actFromList, ACTION_ICONS, actionsFor, type ShownCase, type SubmissionAction } from './actions.ts'
import { DetailCell, sentBytesOf } from './detail-cell.tsx'
import css from './queue-table.module.css'

const ExpandedRow = lazyScreen(async () => (await import('./expanded-row.tsx')).ExpandedRow)

type QueueRowProps = {
  readonly id: string
  readonly isSelected: boolean
  readonly isExpanded: boolean
  readonly columnCount: number
  /** Do size and attempts, and the center if there are several, have columns of their own? */
  readonly isWide: boolean
  /** Names of centers by id; null if only one is in use. */
  readonly centerNames: ReadonlyMap<string, string> | null
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
  readonly onExpand: (id: string, isExpanded: boolean) => void
}

/** One case. It subscribes to its own case in the store, so that other changes do not render it again. */
export const QueueRow = memo(function QueueRow(props: QueueRowProps) {
  const { id, isSelected, isExpanded, columnCount, isWide, centerNames, onSelect, onExpand } = props
  const names = useNames()
  const submission = useStation((state) => state.submissions[id])
  if (!submission) return null
  const { fields, images, state, addedAt, attempts, centerId } = submission
  const patient = names.patientLabel(fields)
  const name = names.nameOf(fields)
  const center = centerNames && (centerId === null ? null : (centerNames.get(centerId) ?? centerId))
  const detailsId = `row-details-${id}`
  const open = (event: MouseEvent<HTMLTableRowElement>): void => {
    // A click outside the controls opens the case, as people expect of a row.
    if (event.target instanceof Element && !event.target.closest('a, button, input, label'))
      goTo({ screen: 'submission', id })
  }
  return (
    <>
      <tr
        role="row"
        className={css.row}
        data-id={id}
        data-digest={submission.digest}
        data-state={state}
        data-selected={isSelected}
        data-expanded={isExpanded}
        onClick={open}
      >
        <td role="cell" className={css.selectColumn}>
          <span className={css.selectCell}>
            <Checkbox
              aria-label={t('queue:select', { who: patient })}
              checked={isSelected}
              onChange={(event) => onSelect([id], event.currentTarget.checked)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={t('queue:expand', { who: patient })}
              aria-expanded={isExpanded}
              aria-controls={isExpanded ? detailsId : undefined}
              onClick={() => onExpand(id, !isExpanded)}
            >
              <IconChevronRight size={17} className={css.chevron} aria-hidden />
            </ActionIcon>
          </span>
        </td>
        <td role="cell" className={css.stateCell}>
          <span className={css.state}>
            <CaseBadge of={submission} />
            {submission.urgent && state === 'waiting' && (
              <span className={css.urgent}>
                <IconArrowBarToUp size={14} aria-hidden />
                {t('queue:urgent')}
              </span>
            )}
          </span>
        </td>
        <td role="cell" className={css.patientCell}>
          <a href={writeRoute({ screen: 'submission', id })} className={css.patient} data-row-link>
            <span className="visually-hidden">{t('queue:look')} </span>
            <span className={`${css.number} truncate`}>
              {submission.unreadable === undefined
                ? (fields.history_number ?? <span className={css.missing}>{t('queue:noHistoryNumber')}</span>)
                : submission.reference}
            </span>{' '}
            <span className={`${css.name} truncate`}>
              {submission.unreadable === undefined ? (name ?? t('queue:noName')) : t('queue:unreadable')}
            </span>
          </a>
        </td>
        <td role="cell" className={`${css.visitCell} tabular`}>
          <span className={css.cellLabel}>{t('queue:columns.visit')} </span>
          {fields.visit_date ? (
            formatCalendarDay(fields.visit_date)
          ) : (
            <span className="dim">{t('field:notKnown')}</span>
          )}
        </td>
        <td role="cell" className={css.rightCell}>
          <Thumbs submission={submission} eye="right" />
        </td>
        <td role="cell" className={css.leftCell}>
          <Thumbs submission={submission} eye="left" />
        </td>
        <td role="cell" className={css.detailCell}>
          <DetailCell submission={submission} isWide={isWide} centerName={center} />
        </td>
        {isWide && (
          <>
            <td role="cell" className="tabular">
              {formatBytes(sentBytesOf(images))}
            </td>
            <td role="cell" className="tabular">
              {attempts === 0 ? <span className="dim">{'\u2013'}</span> : formatCount(attempts)}
            </td>
          </>
        )}
        {isWide && centerNames && (
          <td role="cell">
            <span className={css.center} title={center ?? undefined}>
              {center ?? '\u2013'}
            </span>
          </td>
        )}
        <td role="cell" className={`${css.addedCell} tabular`} title={formatExactly(addedAt)}>
          <span className={css.cellLabel}>{t('queue:columns.added')} </span>
          <span className={css.shortly}>{formatShortly(addedAt)}</span>
          <span className={css.fully}>{formatInstant(addedAt)}</span>
        </td>
        <td role="cell" className={css.actionsCell}>
          <RowActions submission={submission} patient={patient} />
        </td>
      </tr>
      {isExpanded && (
        <tr role="row" className={css.detailsRow}>
          <td role="cell" colSpan={columnCount} id={detailsId}>
            <Suspense fallback={<div className={css.detailsLoading} />}>
              <ExpandedRow submission={submission} centerName={center} />
            </Suspense>
          </td>
        </tr>
      )}
    </>
  )
})

function Thumbs({ submission, eye }: { readonly submission: Submission; readonly eye: Eye }) {
  const ofEye = submission.images.filter((image) => image.eye === eye && isSent(image))
  const [first] = ofEye
  return (
    <span className={css.thumbs}>
      <abbr className={css.cellLabel} title={t(`field:eye.${eye}.name`)}>
        {t(`field:eye.${eye}.short`)}
      </abbr>
      {first ? (
        <Photo image={first} className={css.thumb} />
      ) : (
        <span className="small dim">{t('queue:noImages')}</span>
      )}
      {ofEye.length > 1 && (
        <span className={css.thumbMore} title={t('queue:imagesOfEye', { count: ofEye.length })}>
          {`\u00d7${ofEye.length}`}
        </span>
      )}
    </span>
  )
}

type ActionItemsProps = { readonly shown: ShownCase; readonly actions: readonly SubmissionAction[] }

export function ActionItems({ shown, actions }: ActionItemsProps) {
  const session = useSession()
  return actions.map((action) => {
    const Sign = ACTION_ICONS[action]
    return (
      <Menu.Item
        key={action}
        leftSection={<Sign size={16} aria-hidden />}
        onClick={() => void actFromList(session, action, [shown])}
      >
        {t(`queue:action.${action}.name`)}
      </Menu.Item>
    )
  })
}

type RowActionsProps = { readonly submission: Submission; readonly patient: string }

/** The likeliest action as a button, all others in a menu. */
function RowActions({ submission, patient }: RowActionsProps) {
  const session = useSession()
  const link = linkFor(submission)
  // A link to the case replaces its approval.
  const actions = actionsFor(submission).filter((action) => link === null || action !== 'approve')
  const first = link ? undefined : actions.find((action) => action !== 'discard')
  return (
    <span className={css.actions}>
      {link && (
        <LinkButton
          to={link.to}
          size="sm"
          px={13}
          variant={link.isUrgent ? 'light' : 'default'}
          aria-label={`${link.label}: ${patient}`}
        >
          {link.label}
        </LinkButton>
      )}
      {first && (
        <Button
          size="sm"
          px={13}
          variant={first === 'approve' ? 'filled' : 'default'}
          aria-label={`${t(`queue:action.${first}.name`)}: ${patient}`}
          onClick={() => void actFromList(session, first, [submission])}
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
        <ActionItems shown={submission} actions={actions} />
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

const LINK_LABELS = {
  incomplete: 'queue:complete',
  unconfirmed: 'queue:decide',
  refused: 'queue:look',
  sending: 'queue:look',
  sent: 'queue:look',
} as const satisfies Partial<Record<SubmissionState, string>>

type RowLink = { readonly label: string; readonly to: Route; readonly isUrgent: boolean }

/** The link if the next step is a screen: a proposal to check, details, a delivery to decide on, a report. */
function linkFor({ id, state, caseId, hasReport, verdict }: Submission): RowLink | null {
  if (state === 'review' && restsOnProposal(verdict))
    return { label: t('queue:check'), to: { screen: 'submission', id }, isUrgent: true }
  if (state === 'sent' && hasReport && caseId !== null)
    return {
      label: t('queue:openReport'),
      to: { screen: 'reports', caseId, submissionId: id },
      isUrgent: true,
    }
  if (!(state in LINK_LABELS)) return null
  return {
    label: t(LINK_LABELS[state as keyof typeof LINK_LABELS]),
    to: { screen: 'submission', id },
    isUrgent: state !== 'sent' && state !== 'sending',
  }
}
