/** The screen of one submission, with its header. */
import { ActionIcon, Button, Group, Loader, Menu } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import {
  IconArrowLeft,
  IconArrowMerge,
  IconChevronLeft,
  IconChevronRight,
  IconDotsVertical,
  IconSend,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useShallow } from 'zustand/shallow'
import { UNSENT_STATES } from '../../src-shared/states.ts'
import type { Proof } from '../../src-shared/proof.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { CaseBadge } from '../components/badges.tsx'
import { unlessBehindDialog } from '../components/browser.tsx'
import { ActionButton, CopyAction, FailureNotice, IconAction } from '../components/controls.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { failureOfKind, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { ACTION_ICONS, actionsFor, runAction, type SubmissionAction } from '../queue/actions.ts'
import { goTo } from '../shell/navigation.tsx'
import { sortedIds } from '../store/state.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { useDiscardUntouched } from './add-images.tsx'
import { isSendable, type Saving, useSaving } from './autosave.ts'
import { CheckPanel } from './check.tsx'
import { EarlierPanel, WhoseNumber } from './compared-cases.tsx'
import { DecisionPanel } from './decision-panel.tsx'
import { History, SendingPanel } from './delivery.tsx'
import { CaseContext, useCase, useOpenCase, useSubmission } from './form.ts'
import { JoinDialog } from './image-actions.tsx'
import { ImagesBoard } from './images-board.tsx'
import { MeasurementsBlock } from './measurements.tsx'
import { JoinOffer, PatientsQuestion, patientsQuestionOf } from './patients-question.tsx'
import { Block, ClinicalBlock, PatientBlock, SaveNote } from './field-input.tsx'
import css from './submission-screen.module.css'

const BESIDE_SENDING: readonly SubmissionAction[] = ['hold', 'discard', 'prioritise', 'moveToCenter']

type MoreActionsProps = { readonly hasSend: boolean; readonly saving: Saving }

function MoreActions({ hasSend, saving }: MoreActionsProps) {
  const session = useSession()
  const { details } = useCase()
  const [isJoining, joining] = useDisclosure(false)
  const button = useRef<HTMLButtonElement>(null)
  const actions = actionsFor(details).filter((action) => !hasSend || BESIDE_SENDING.includes(action))
  const isJoinable = UNSENT_STATES.some((unsent) => unsent === details.state)
  // An open dialog stays, and reports itself that the case has changed.
  if (actions.length === 0 && !isJoinable && !isJoining) return null
  const join = async (): Promise<void> => {
    // Unsaved input would be lost with the case.
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
          {actions.map((action) => {
            const Sign = ACTION_ICONS[action]
            return (
              <Menu.Item
                key={action}
                leftSection={<Sign size={16} aria-hidden />}
                onClick={() => void runAction(session, action, [details])}
              >
                {t(`queue:action.${action}.name`)}
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
      {isJoining && (
        <JoinDialog
          onClose={() => {
            joining.close()
            // The menu item that opened it is gone.
            button.current?.focus()
          }}
        />
      )}
    </>
  )
}

function SubmissionHeader({ saving }: { readonly saving: Saving }) {
  const { details } = useCase()
  const { state, fields, reference } = details
  const names = useNames()
  const heading = useRef<HTMLHeadingElement>(null)
  // A new screen is read from its heading, not from the previous focus.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className={css.header}>
      <Neighbours id={details.id} />
      <div className={css.who}>
        <h1
          className={css.heading}
          ref={heading}
          tabIndex={-1}
          aria-label={t('submission:title', { who: names.patientLabel(fields) })}
        >
          <span className={css.number} title={fields.history_number}>
            {fields.history_number ?? t('queue:noHistoryNumber')}
          </span>
          <span className="truncate">{names.nameOf(fields) ?? t('queue:noName')}</span>
        </h1>
        <p className={css.sub}>
          {fields.visit_date && <span>{formatCalendarDay(fields.visit_date)}</span>}
          <span className="mono" title={t('submission:reference')}>
            {reference}
          </span>
          <CopyAction text={reference} />
        </p>
      </div>
      <CaseBadge of={details} size="md" />
      <span className={css.gap} />
      <Group gap={8} wrap="nowrap">
        <SaveNote state={saving.state} />
        {isSendable(state) && (
          <ActionButton
            variant="filled"
            size="md"
            px={20}
            icon={IconSend}
            loading={saving.isBusy}
            onClick={() => void saving.saveAndSend()}
          >
            {t(`submission:send.${state}`)}
          </ActionButton>
        )}
        <MoreActions hasSend={isSendable(state)} saving={saving} />
      </Group>
    </div>
  )
}

function Neighbours({ id }: { readonly id: string }) {
  const ids = useStation(useShallow(sortedIds))
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
        {t('shell:screens.queue')}
      </Button>
      {(
        [
          { by: -1, label: t('submission:previous'), icon: IconChevronLeft },
          { by: 1, label: t('submission:next'), icon: IconChevronRight },
        ] as const
      ).map(({ by, label, icon }) => {
        const to = step(by)
        return (
          <IconAction
            key={by}
            label={label}
            size={32}
            icon={icon}
            iconSize={18}
            disabled={to === undefined}
            onClick={() => to !== undefined && goTo({ screen: 'submission', id: to })}
          />
        )
      })}
    </Group>
  )
}

export function SubmissionScreen({ id }: { readonly id: string }) {
  const { details, proof, failure, isReading, take } = useSubmission(id)
  const settings = useStation((station) => station.settings)
  useDiscardUntouched(id)
  if (details?.unreadable !== undefined)
    return (
      <div className={css.screen}>
        <Group gap={6}>
          <h1>{details.reference}</h1>
          <CopyAction text={details.reference} />
        </Group>
        <FailureNotice failure={failureOfKind('caseUnreadable')} />
      </div>
    )
  // Without the clinic's units a value would be read wrongly.
  if (details && proof && settings)
    return <Loaded details={details} proof={proof} settings={settings} isReading={isReading} take={take} />
  return (
    <div className={css.screen}>
      {failure ? (
        <FailureNotice failure={failure} />
      ) : (
        <Loader display="block" m="80px auto" aria-label={t('submission:title', { who: '' })} />
      )}
    </div>
  )
}

type LoadedProps = {
  readonly details: SubmissionDetails
  readonly proof: Proof
  readonly settings: ShownSettings
  readonly isReading: boolean
  readonly take: (changed: SubmissionDetails) => void
}

function Loaded({ details, proof, settings, isReading, take }: LoadedProps) {
  const open = useOpenCase(details, proof, settings, take)
  const saving = useSaving(open)
  useHotkeys(
    [
      ['mod+S', unlessBehindDialog(() => void saving.save())],
      ['mod+Enter', unlessBehindDialog(() => void saving.saveAndSend())],
    ],
    [],
  )
  const { state, failure } = details
  const question = open.isFrozen ? null : patientsQuestionOf(details, proof)
  const shared = details.reasons.find(({ kind }) => kind === 'sharedNumber')
  return (
    <CaseContext value={open}>
      <SubmissionHeader saving={saving} />
      <div className={css.screen}>
        {state === 'unconfirmed' && <DecisionPanel />}
        {failure !== null && state !== 'unconfirmed' && state !== 'sent' && (
          <FailureNotice
            failure={{
              ...failure,
              ...(failure.serviceSaid !== undefined && { serviceSaid: open.conceal(failure.serviceSaid) }),
            }}
            tone={state === 'refused' ? 'red' : 'amber'}
          />
        )}
        {!open.isFrozen && (
          <>
            {shared && (
              <WhoseNumber
                key={shared.references?.join()}
                number={details.fields.history_number ?? proof.who.about ?? ''}
                references={shared.references ?? []}
              />
            )}
            {question === null ? <JoinOffer /> : <PatientsQuestion kind={question} />}
            <EarlierPanel saving={saving} />
          </>
        )}
        {state === 'sending' && <SendingPanel />}
        {open.isFrozen && state !== 'unconfirmed' && state !== 'sending' && (
          <p className={css.frozen}>
            {details.imageShortfall === null
              ? t(`submission:frozen.${state === 'discarded' ? state : 'sent'}`)
              : t('sending:confirm.fewer', details.imageShortfall)}
          </p>
        )}
        <div className={css.columns}>
          <div className={css.column}>
            <ImagesBoard />
            {/* The panel of a case in doubt has it: a person decides by it. */}
            {state !== 'unconfirmed' && (
              <Block id="history" title={t('submission:history')}>
                <History />
              </Block>
            )}
          </div>
          <form
            className={css.column}
            onSubmit={(event) => event.preventDefault()}
            onBlur={saving.leave}
            noValidate
          >
            <CheckPanel isReading={isReading} isPatientAsked={question !== null} />
            <PatientBlock />
            <MeasurementsBlock />
            <ClinicalBlock />
          </form>
        </div>
      </div>
    </CaseContext>
  )
}
