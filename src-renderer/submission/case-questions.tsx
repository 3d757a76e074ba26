/** What a case asks before all else, or what became of it: shown at the desk, and on its own page. */
import { ActionIcon, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowMerge, IconDotsVertical, IconPhoneCall } from '@tabler/icons-react'
import { useRef } from 'react'
import { UNSENT_STATES } from '../../src-shared/states.ts'
import { FailureNotice, LinkButton } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { ACTION_ICONS, actionsFor, runAction, type SubmissionAction } from '../queue/actions.ts'
import { useSession } from '../store/use-station.ts'
import { EarlierPanel, WhoseNumber } from './compared-cases.tsx'
import { DecisionPanel } from './decision-panel.tsx'
import { SendingPanel } from './delivery.tsx'
import { useCase } from './form.ts'
import { JoinOffer, PatientsQuestion } from './patients-question.tsx'
import { RegroupDialog } from './regroup.tsx'
import { noting, SentWronglyPanel } from './sent-wrongly.tsx'

export function CaseQuestions() {
  const { details, proof, isFrozen, question, conceal } = useCase()
  const { state, failure, reasons, fields, imageShortfall, replaces, erasedAt } = details
  const shared = reasons.find(({ kind }) => kind === 'sharedNumber')
  return (
    <>
      {state === 'unconfirmed' && <DecisionPanel />}
      <SentWronglyPanel />
      {replaces !== null && (
        <LinkButton to={{ screen: 'submission', id: replaces.id }}>
          {`${t('submission:wrongly.replaces')} ${replaces.reference}`}
        </LinkButton>
      )}
      {failure !== null && state !== 'unconfirmed' && state !== 'sent' && (
        <FailureNotice
          failure={{
            ...failure,
            ...(failure.serviceSaid !== undefined && { serviceSaid: conceal(failure.serviceSaid) }),
          }}
          tone={state === 'refused' ? 'red' : 'amber'}
        />
      )}
      {!isFrozen && (
        <>
          {shared && (
            <WhoseNumber
              key={shared.references?.join()}
              number={fields.history_number ?? proof.who.about ?? ''}
              references={shared.references ?? []}
            />
          )}
          {question === null ? <JoinOffer /> : <PatientsQuestion kind={question} />}
          <EarlierPanel />
        </>
      )}
      {state === 'sending' && <SendingPanel />}
      {isFrozen && state !== 'unconfirmed' && state !== 'sending' && (
        <Text className="quiet-panel" p="9px 14px" c="dimmed">
          {imageShortfall === null
            ? t(`submission:frozen.${erasedAt !== null ? 'erased' : state === 'discarded' ? state : 'sent'}`)
            : t('sending:confirm.fewer', imageShortfall)}
        </Text>
      )}
    </>
  )
}

const BESIDE_SENDING: readonly SubmissionAction[] = [
  'hold',
  'discard',
  'withdraw',
  'prioritise',
  'moveToCenter',
]

/** All that may be done with the case beside its likeliest next step. */
export function MoreActions({ hasSend }: { readonly hasSend: boolean }) {
  const session = useSession()
  const { details } = useCase()
  const [isJoining, joining] = useDisclosure(false)
  const button = useRef<HTMLButtonElement>(null)
  const actions = actionsFor(details).filter((action) => !hasSend || BESIDE_SENDING.includes(action))
  const isJoinable = UNSENT_STATES.some((unsent) => unsent === details.state)
  const mayBeWrong = details.state === 'sent' && details.sentWrongly === null
  // An open dialog stays, and reports itself that the case has changed.
  if (actions.length === 0 && !isJoinable && !isJoining && !mayBeWrong) return null
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
            <Menu.Item leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={joining.open}>
              {t('submission:grouping.join')}
            </Menu.Item>
          )}
          {mayBeWrong && (
            <Menu.Item
              leftSection={<IconPhoneCall size={16} aria-hidden />}
              onClick={() => noting.setState({ id: details.id })}
            >
              {t('submission:wrongly.action')}
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
      <RegroupDialog
        opened={isJoining}
        kind="join"
        onClose={() => {
          joining.close()
          // The menu item that opened it is gone.
          button.current?.focus()
        }}
      />
    </>
  )
}
