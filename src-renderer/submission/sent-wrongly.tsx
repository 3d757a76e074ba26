/** A case that was sent wrongly: what is wrong, what to read out to the service, and the case that corrects it. */
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useSetState } from '@mantine/hooks'
import { IconPhoneCall } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { MINUTE } from '../../src-shared/durations.ts'
import { inGroups } from '../../src-shared/reference.ts'
import { type SentWrongly, sentWronglySchema, type SubmissionDetails } from '../../src-shared/submission.ts'
import { useStationNow } from '../components/browser.tsx'
import { Fact, Form, LinkButton } from '../components/controls.tsx'
import { isSent } from '../components/photo.tsx'
import { useCenters } from '../decisions/center-choice.tsx'
import { SignatureFields, useSignature } from '../decisions/decisions.tsx'
import { formatCalendarDay, formatExactly, formatInstant } from '../format/dates.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { goTo } from '../shell/navigation.tsx'
import { runCall } from '../shell/toast.tsx'
import { useSession, useStation } from '../store/use-station.ts'
import { Block } from './field-input.tsx'
import { useCase } from './form.ts'

/** The case of which a person wants to note what is wrong. */
export const noting = createStore<{ readonly id: string | null }>(() => ({ id: null }))

const { because: BECAUSE } = sentWronglySchema.shape

const focusHeading = (): void => document.getElementById('sent-wrongly')?.focus()

/** Asks what is wrong, then is what a telephone call needs. */
export function SentWronglyPanel() {
  const { id, state, sentWrongly: wrong } = useCase().details
  const isNoting = useStore(noting, (now) => now.id === id)
  useEffect(() => (isNoting ? focusHeading() : undefined), [isNoting])
  if (state !== 'sent' || (wrong === null && !isNoting)) return null
  const title = wrong ? (`because.${wrong.because}` as const) : 'ask'
  return (
    <Block id="sent-wrongly" tone="red" icon={IconPhoneCall} title={t(`submission:wrongly.${title}`)}>
      {wrong !== null && <ReadOut wrong={wrong} />}
      <Answers />
    </Block>
  )
}

function ReadOut({ wrong: { because, right } }: { readonly wrong: SentWrongly }) {
  const { fields, images, caseId, reference, sentAt, centerId } = useCase().details
  const names = useNames()
  const { nameOf } = useCenters()
  const telephone = useStation(({ settings }) => settings?.service?.telephone)
  const eyes = images.filter(isSent).map(({ eye }) => t(`field:eye.${eye}.short`))
  const day = formatCalendarDay(fields.visit_date ?? '')
  const read = {
    caseId: inGroups(caseId ?? ''),
    reference: inGroups(reference),
    center: nameOf(centerId),
    when: formatExactly(sentAt ?? 0),
    because: t(`submission:wrongly.because.${because}`),
    right: right && `${t('submission:wrongly.right')}: ${formatCalendarDay(right)}`,
  }
  const facts = {
    [t('settings:service.telephone')]: telephone ?? t('field:notKnown'),
    [t('submission:decision.there.id')]: read.caseId,
    [t('submission:reference')]: read.reference,
    [t('state:sent.name')]: joinTexts(names.patientLabel(fields), day, ...eyes),
    [t('submission:wrongly.right')]: formatCalendarDay(right) || t('field:notKnown'),
  }
  return (
    <>
      <dl className="facts">
        {Object.entries(facts).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <blockquote>{t('submission:wrongly.say', read)}</blockquote>
    </>
  )
}

/** What is wrong, then the call, which ends the alarm; and the corrected case. */
function Answers() {
  const session = useSession()
  const { details, take } = useCase()
  const { id, sentWrongly: wrong, replacedBy } = details
  const now = useStationNow()
  const calledAt = new Date(now - new Date(now).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)
  const [typed, write] = useSetState({ because: '', right: '', spokenTo: '', calledAt })
  const signature = useSignature()
  const call = wrong?.call ?? null
  const show = (changed: SubmissionDetails | null): void => {
    if (!changed) return
    noting.setState({ id: null })
    focusHeading()
    if (changed.id === id) take(changed)
    else goTo({ screen: 'submission', id: changed.id })
  }
  const note = async (because: SentWrongly['because'] | null, called = {}): Promise<void> => {
    const signed = signature.sign()
    const noted = { id, because, right: wrong?.right ?? typed.right, ...called }
    if (signed) show(await runCall(session, 'submissions.noteSentWrongly', { ...noted, ...signed }))
  }
  const correct = async (): Promise<void> => {
    const signed = signature.sign()
    if (signed) show(await runCall(session, 'submissions.correct', { id, ...signed }))
  }
  const input = (name: 'right' | 'spokenTo' | 'calledAt', label: string, type = 'text') => (
    <TextInput
      label={label}
      type={type}
      data-shown={formatCalendarDay(typed[name])}
      maxLength={100}
      value={typed[name]}
      onChange={(event) => write({ [name]: event.currentTarget.value })}
    />
  )
  const submit = () =>
    wrong === null
      ? note(BECAUSE.parse(typed.because))
      : note(wrong.because, { call: { spokenTo: typed.spokenTo, at: Date.parse(typed.calledAt) } })
  return (
    <Form onSubmit={() => void submit()}>
      <Stack mt={12}>
        {wrong === null && (
          <>
            <Radio.Group
              aria-labelledby="sent-wrongly"
              value={typed.because}
              onChange={(because) => write({ because, right: '' })}
            >
              {BECAUSE.options.map((one) => (
                <Radio key={one} mt={6} value={one} label={t(`submission:wrongly.because.${one}`)} />
              ))}
            </Radio.Group>
            {typed.because !== 'consent' &&
              input('right', t('submission:wrongly.right'), typed.because === 'day' ? 'date' : 'text')}
          </>
        )}
        {wrong !== null && call === null && (
          <Group>
            {input('spokenTo', t('submission:wrongly.spokenTo'))}
            {input('calledAt', t('activity:columns.at'), 'datetime-local')}
          </Group>
        )}
        {call && <strong>{t('submission:wrongly.called', { ...call, when: formatInstant(call.at) })}</strong>}
        <SignatureFields signature={signature} />
        <Group>
          {call === null && (
            <Button
              type="submit"
              color="red"
              disabled={wrong === null ? typed.because === '' : !typed.spokenTo.trim() || !typed.calledAt}
            >
              {t(`submission:wrongly.${wrong === null ? 'mark' : 'noteCall'}`)}
            </Button>
          )}
          {wrong !== null && wrong.because !== 'consent' && replacedBy === null && (
            <Button variant="default" onClick={() => void correct()}>
              {t('submission:wrongly.correct')}
            </Button>
          )}
          {replacedBy !== null && (
            <LinkButton to={{ screen: 'submission', id: replacedBy.id }}>
              {t('activity:entry.corrected')}
            </LinkButton>
          )}
          {wrong !== null && call === null && replacedBy === null && (
            <Button variant="subtle" onClick={() => void note(null)}>
              {t('submission:wrongly.takeBack')}
            </Button>
          )}
        </Group>
      </Stack>
    </Form>
  )
}
