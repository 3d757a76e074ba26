/** Moves images to a case of their own, or to another one, which a person chooses from a list. */
import { Loader, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { moveFocus } from '../components/controls.tsx'
import { DialogButtons } from '../components/dialog.tsx'
import type { Image, Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { UNSENT_STATES } from '../../src-shared/states.ts'
import { EyeMark, CaseBadge } from '../components/badges.tsx'
import { baseName, Photo } from '../components/photo.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatDay } from '../format/dates.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { namesNow, useNames } from '../privacy/names.tsx'
import { PatientAndDay } from '../queue/join-cases.tsx'
import { goTo } from '../shell/navigation.tsx'
import { showToast } from '../shell/toast.tsx'
import { type StationSession, upsertSubmission } from '../store/store.ts'
import { useAnswer, useCall, useSession } from '../store/use-station.ts'
import { useCase } from './form.ts'
import css from './grouping.module.css'

function ChosenImages({ images }: { readonly images: readonly Image[] }) {
  const names = useNames()
  return (
    <ul role="list" className={css.chosen}>
      {images.map((image) => {
        const path = names.fileName(image.fileName)
        return (
          <li key={image.id} className={css.image} title={path}>
            <Photo image={image} className={css.photo} />
            <EyeMark eye={image.eye} />
            <span className="truncate">{baseName(path)}</span>
          </li>
        )
      })}
    </ul>
  )
}

type OtherCase = Pick<Submission, 'id' | 'digest'>

/** Moves these images to another case; both are compared with what is shown of them. */
export function moveInput(details: OtherCase, images: readonly Image[], to: OtherCase) {
  return {
    imageIds: images.map(({ id }) => id),
    toId: to.id,
    seen: { [details.id]: details.digest, [to.id]: to.digest },
    ...currentSignature(),
  }
}

/** Says whose the images are now and offers their case, which is opened if none is left here. */
export function showMoved(session: StationSession, to: SubmissionDetails, isEmptied: boolean): void {
  upsertSubmission(session, to)
  const open = (): void => goTo({ screen: 'submission', id: to.id })
  showToast({
    message: t('submission:grouping.moveDone', { who: namesNow().patientLabel(to.fields) }),
    ...(!isEmptied && { action: { label: t('shell:openIt'), run: open } }),
  })
  if (isEmptied) open()
}

type RegroupFormProps = {
  /** To a case that a person chooses; else they become a case of their own. */
  readonly isMove: boolean
  readonly chosen: readonly Image[]
  /** Would no image stay here? */
  readonly isEmptied: boolean
  readonly onClose: () => void
  readonly onMoved: () => void
}

/** Says what becomes of the chosen images and of both cases before any of it happens. */
export function RegroupForm({ isMove, chosen, isEmptied, onClose, onMoved }: RegroupFormProps) {
  const { details, asShown, take } = useCase()
  const session = useSession()
  const names = useNames()
  const [target, setTarget] = useState<Submission | null>(null)
  const { isBusy, failure, call } = useCall()
  const split = async (): Promise<void> => {
    const result = await call('submissions.split', { ...asShown(), imageIds: chosen.map(({ id }) => id) })
    if (!result) return
    const { kept, made } = result
    onClose()
    onMoved()
    take(kept)
    showToast({
      message: t('submission:grouping.splitDone', { reference: made.reference }),
      action: { label: t('shell:openIt'), run: () => goTo({ screen: 'submission', id: made.id }) },
    })
  }
  const move = async (to: Submission): Promise<void> => {
    const moved = await call('submissions.moveImages', moveInput(details, chosen, to))
    if (!moved) return
    onClose()
    onMoved()
    showMoved(session, moved, isEmptied)
  }
  const [from, to] = [details, target].map((one) => one && names.patientLabel(one.fields))
  return (
    <Stack>
      <ChosenImages images={chosen} />
      {isMove && <CaseChoice chosenId={target?.id ?? null} onChoose={setTarget} />}
      <Text mih={44} aria-live="polite">
        {!isMove
          ? t('submission:grouping.splitExplain')
          : to && t('submission:grouping.moveExplain', { from, to })}
      </Text>
      <Text>
        {isMove && isEmptied && `${t('submission:grouping.emptied')} `}
        {t('queue:merge.looksAgain')}
      </Text>
      {failure && <p className="red">{messageOf(failure)}</p>}
      <DialogButtons
        onCancel={onClose}
        isFocused={!isMove}
        disabled={isMove && target === null}
        loading={isBusy}
        onClick={() => void (isMove ? target && move(target) : split())}
      >
        {t(isMove ? 'decision:moveToCenter.action' : 'submission:grouping.split')}
      </DialogButtons>
    </Stack>
  )
}

/** The label of the button around an image: it contains all visible text. */
export function openLabel({ removedAt }: Pick<Image, 'removedAt'>, name: string): string {
  return joinTexts(
    t('desk:enlarge', { what: name }),
    removedAt !== null && t('part:removed', { day: formatDay(removedAt) }),
  )
}

const PAUSE_MS = 250
const MAX_CASES = 30

type CaseChoiceProps = {
  readonly chosenId: string | null
  readonly onChoose: (submission: Submission) => void
}

export function CaseChoice({ chosenId, onChoose }: CaseChoiceProps) {
  const { details } = useCase()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS)
  const { value, failure, isReading } = useAnswer('submissions.list', {
    state: [...UNSENT_STATES],
    // One more, because the list may contain the case itself.
    limit: MAX_CASES + 1,
    ...(search !== '' && { search }),
  })
  const cases = (value?.items ?? []).filter(({ id }) => id !== details.id).slice(0, MAX_CASES)
  return (
    <Stack gap={8} onKeyDown={(event) => moveFocus(event, '[data-case]')}>
      <TextInput
        role="searchbox"
        data-autofocus
        label={t('submission:grouping.search')}
        placeholder={t('queue:search')}
        autoComplete="off"
        leftSection={<IconSearch size={17} aria-hidden />}
        rightSection={isReading && <Loader size={15} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {failure && <p className="red">{messageOf(failure)}</p>}
      <div className={css.cases} role="group" aria-label={t('submission:grouping.cases')}>
        {value && cases.length === 0 && <p className={css.nothing}>{t('queue:empty.search')}</p>}
        {cases.map((one) => (
          <UnstyledButton
            key={one.id}
            data-case={one.id}
            className={css.case}
            aria-pressed={one.id === chosenId}
            onClick={() => onChoose(one)}
          >
            <PatientAndDay fields={one.fields} />
            <CaseBadge of={one} />
          </UnstyledButton>
        ))}
      </div>
    </Stack>
  )
}
