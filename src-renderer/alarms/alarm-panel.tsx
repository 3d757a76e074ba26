/** The panel of unsettled alarms. */
import { Anchor, Group, Stack } from '@mantine/core'
import { IconBellRinging, IconCheck, IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { restoreFocus } from '../components/browser.tsx'
import { ActionButton, CopyAction, EmptyState, Fact, Instant } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import type { Alarm } from '../../src-shared/alarms.ts'
import { SignatureFields, useSignature } from '../decisions/decisions.tsx'
import { formatInstant } from '../format/dates.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { runCall } from '../shell/toast.tsx'
import { useSession, useStation } from '../store/use-station.ts'

const NO_ALARMS: readonly Alarm[] = []

type AlarmPanelProps = { readonly isShown: boolean; readonly onClose: () => void }

/** Every unsettled alarm: what happened, the cases, and "I have seen this" with initials. */
export function AlarmPanel({ isShown, onClose }: AlarmPanelProps) {
  return (
    <Dialog
      opened={isShown}
      onClose={onClose}
      onExitTransitionEnd={() => restoreFocus(null)}
      size="xl"
      title={t('alarm:title')}
    >
      <Alarms onClose={onClose} />
    </Dialog>
  )
}

function Alarms({ onClose }: Pick<AlarmPanelProps, 'onClose'>) {
  const session = useSession()
  const alarms = useStation(({ status }) => status?.alarms ?? NO_ALARMS)
  const signature = useSignature()
  const names = useNames()
  const [busyId, setBusyId] = useState<string | null>(null)

  const settle = async (alarm: Alarm): Promise<void> => {
    const signed = signature.sign()
    if (!signed) return
    setBusyId(alarm.id)
    const status = await runCall(session, 'station.settleAlarm', { id: alarm.id, ...signed })
    setBusyId(null)
    if (!status) return
    session.store.setState({ status })
    if (status.alarms.length === 0) onClose()
  }
  if (alarms.length === 0)
    return <EmptyState icon={IconCheck} title={t('alarm:none.title')} body={t('alarm:none.body')} />
  return (
    <Stack>
      <p className="dim">{t('alarm:explain')}</p>
      <SignatureFields signature={signature} />
      <Stack component="ul" role="list" gap={12}>
        {alarms.map((alarm) => (
          <Stack key={alarm.id} component="li" gap={8} className="tone-box" data-tone="red">
            <Group component="h3" gap={8} className="red">
              <IconBellRinging size={18} aria-hidden />
              <span className="grow">{t(`alarm:kind.${alarm.kind}`)}</span>
              <Instant at={alarm.raisedAt} className="small dim">
                {t('shell:since', { when: formatInstant(alarm.raisedAt) })}
              </Instant>
            </Group>
            <p>{textOf(alarm, names)}</p>
            <Group gap="12px 24px" align="flex-end" justify="space-between">
              <AlarmFacts alarm={alarm} onLeave={onClose} />
              {alarm.kind !== 'sentWrongly' && (
                <ActionButton
                  variant="light"
                  color="red"
                  icon={IconEye}
                  aria-label={t('alarm:seenWhat', {
                    what: [t(`alarm:kind.${alarm.kind}`), alarm.reference].filter(Boolean).join(', '),
                  })}
                  loading={busyId === alarm.id}
                  onClick={() => void settle(alarm)}
                >
                  {t('alarm:seen')}
                </ActionButton>
              )}
            </Group>
          </Stack>
        ))}
      </Stack>
    </Stack>
  )
}

/** The name of a file may be that of a patient. */
function textOf(alarm: Alarm, names: Names): string {
  const file = alarm.wording?.values?.['file']
  const text = messageOf(alarm)
  return typeof file === 'string' ? text.replaceAll(file, names.fileName(file)) : text
}

function AlarmFacts({ alarm, onLeave }: { readonly alarm: Alarm; readonly onLeave: () => void }) {
  const { submissionId, reference, caseIds } = alarm
  return (
    <dl className="facts grow">
      {caseIds.length > 0 && (
        <Fact name={t('alarm:cases', { count: caseIds.length })} className="mono">
          {caseIds.map((id) => (
            <Group key={id} gap={4}>
              {id}
              <CopyAction text={id} label={t('alarm:copyCase', { id })} />
            </Group>
          ))}
        </Fact>
      )}
      <Fact name={submissionId === null ? t('alarm:about') : t('alarm:submission')} className="mono">
        {submissionId === null ? (
          t('alarm:all')
        ) : (
          <Anchor
            href={writeRoute({ screen: 'submission', id: submissionId })}
            aria-label={t('shell:openCase', { reference: reference ?? submissionId })}
            onClick={onLeave}
          >
            {reference ?? submissionId}
          </Anchor>
        )}
      </Fact>
    </dl>
  )
}
