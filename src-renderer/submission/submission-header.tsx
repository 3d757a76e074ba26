import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconDeviceFloppy,
  IconSend,
} from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useShallow } from 'zustand/shallow'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { formatCalendarDay } from '../format/instants.ts'
import { CopyAction } from '../parts/copy-action.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { useNames } from '../privacy/use-names.ts'
import { goTo } from '../shell/routes.ts'
import { compareUrgency, shownStateOf } from '../store/shown-state.ts'
import { useStation } from '../store/use-station.ts'
import { useFields } from './fields-context.ts'
import { MoreActions } from './more-actions.tsx'
import { SaveNote } from './save-note.tsx'
import css from './submission-screen.module.css'
import type { Saving } from './use-saving.ts'
import { t } from '../words/t.ts'

export type SubmissionHeaderProps = {
  readonly details: SubmissionDetails
  readonly saving: Saving
  readonly patient: string
  readonly headingRef: RefObject<HTMLHeadingElement | null>
  readonly onChanged: (details: SubmissionDetails) => void
}

const SENDABLE = ['collecting', 'incomplete', 'review', 'held', 'refused'] as const

/** States out of which a person sends a case on; each has its own word on the button. */
function isSendable(state: string): state is (typeof SENDABLE)[number] {
  return (SENDABLE as readonly string[]).includes(state)
}

/** Who it is, how it stands, and what can be done: always in sight above the form. */
export function SubmissionHeader({ details, saving, patient, headingRef, onChanged }: SubmissionHeaderProps) {
  const { state, fields, reference } = details
  const { isFrozen } = useFields()
  const sendLabel = isSendable(state) ? t(`submission:send.${state}`) : undefined
  const name = useNames().nameOf(fields)
  return (
    <div className={css.header}>
      <Neighbours id={details.id} />
      <div className={css.who}>
        <h1
          className={css.heading}
          ref={headingRef}
          tabIndex={-1}
          aria-label={t('submission:title', { who: patient })}
        >
          <span className={css.number} title={fields.history_number}>
            {fields.history_number ?? t('queue:noHistoryNumber')}
          </span>
          <span className="truncate">{name ?? t('queue:noName')}</span>
        </h1>
        <p className={css.sub}>
          {fields.visit_date && <span>{formatCalendarDay(fields.visit_date)}</span>}
          <span className={css.reference} title={t('submission:reference')}>
            {reference}
          </span>
          <CopyAction text={reference} />
        </p>
      </div>
      <StateBadge state={shownStateOf(details)} size="md" />
      <span className={css.gap} />
      <Group gap={8} wrap="nowrap">
        <SaveNote state={saving.state} />
        {!isFrozen && (
          <Tooltip label={t('submission:save')}>
            <ActionIcon
              variant="default"
              size={42}
              aria-label={t('submission:save')}
              disabled={saving.state.kind === 'clean' || saving.state.kind === 'saved'}
              loading={saving.isBusy}
              onClick={() => void saving.save()}
            >
              <IconDeviceFloppy size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {sendLabel !== undefined && (
          <Button
            size="md"
            px={20}
            leftSection={<IconSend size={17} aria-hidden />}
            loading={saving.isBusy}
            onClick={() => void saving.saveAndSend()}
          >
            {sendLabel}
          </Button>
        )}
        <MoreActions
          details={details}
          hasSend={sendLabel !== undefined}
          saving={saving}
          onChanged={onChanged}
        />
      </Group>
    </div>
  )
}

/** Back to the queue, and to the cases before and after this one in it. */
function Neighbours({ id }: { readonly id: string }) {
  const ids = useStation(
    useShallow(({ submissions, queue }) =>
      queue.ids
        .flatMap((one) => submissions[one] ?? [])
        .sort(compareUrgency)
        .map((one) => one.id),
    ),
  )
  const index = ids.indexOf(id)
  const step = (by: number) => (index < 0 ? undefined : ids[index + by])
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        component="a"
        href="#/queue"
        variant="subtle"
        color="gray"
        px={10}
        leftSection={<IconArrowLeft size={17} aria-hidden />}
      >
        {t('submission:back')}
      </Button>
      {(
        [
          { by: -1, word: t('submission:previous'), sign: IconChevronLeft },
          { by: 1, word: t('submission:next'), sign: IconChevronRight },
        ] as const
      ).map(({ by, word, sign: Sign }) => {
        const to = step(by)
        return (
          <Tooltip key={by} label={word}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={word}
              disabled={to === undefined}
              onClick={() => to !== undefined && goTo({ screen: 'submission', id: to })}
            >
              <Sign size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      })}
    </Group>
  )
}
