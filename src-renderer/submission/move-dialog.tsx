/** Moves images to another case, which a person chooses from a list. */
import { Loader, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { moveFocus } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import type { Image, Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { UNSENT_STATES } from '../../src-shared/states.ts'
import { EyeMark, CaseBadge } from '../components/badges.tsx'
import { baseName, Photo } from '../components/photo.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatDay } from '../format/dates.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { namesNow, useNames } from '../privacy/names.tsx'
import { PatientAndDay } from '../queue/join-cases.tsx'
import { goTo } from '../shell/navigation.tsx'
import { showToast } from '../shell/toast.tsx'
import { type StationSession, upsertSubmission } from '../store/store.ts'
import { useAnswer, useCall, useSession } from '../store/use-station.ts'
import { useCase } from './form.ts'
import css from './grouping.module.css'

export function ChosenImages({ images }: { readonly images: readonly Image[] }) {
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

export type ImagesDialogProps = {
  readonly chosen: readonly Image[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMoved: () => void
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
export function showMoved(
  session: StationSession,
  to: SubmissionDetails,
  count: number,
  isEmptied: boolean,
): void {
  upsertSubmission(session, to)
  const open = (): void => goTo({ screen: 'submission', id: to.id })
  showToast({
    message: t('submission:grouping.moveDone', { count, who: namesNow().patientLabel(to.fields) }),
    ...(!isEmptied && { action: { label: t('shell:openIt'), run: open } }),
  })
  if (isEmptied) open()
}

type MoveDialogProps = ImagesDialogProps & { readonly isEmptied: boolean }

export function MoveDialog({ chosen, isOpen, isEmptied, onClose, onMoved }: MoveDialogProps) {
  const { details } = useCase()
  const session = useSession()
  const names = useNames()
  const [target, setTarget] = useState<Submission | null>(null)
  const { isBusy, failure, setFailure, call } = useCall()
  const close = (): void => {
    setFailure(null)
    setTarget(null)
    onClose()
  }
  const move = async (to: Submission): Promise<void> => {
    const moved = await call('submissions.moveImages', moveInput(details, chosen, to))
    if (!moved) return
    close()
    onMoved()
    showMoved(session, moved, chosen.length, isEmptied)
  }
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      size="lg"
      title={t('submission:grouping.moveTitle', { count: chosen.length })}
    >
      <Stack>
        <ChosenImages images={chosen} />
        <CaseChoice chosenId={target?.id ?? null} onChoose={setTarget} />
        <Text mih={44} aria-live="polite">
          {target === null
            ? t('submission:grouping.moveChoose')
            : t('submission:grouping.moveExplain', {
                from: names.patientLabel(details.fields),
                to: names.patientLabel(target.fields),
              })}
        </Text>
        <Text>
          {isEmptied ? `${t('submission:grouping.emptied')} ` : ''}
          {t('submission:grouping.looksAgain')}
        </Text>
        {failure && <p className="red">{messageOf(failure)}</p>}
        <DialogButtons
          onCancel={close}
          isFocused={false}
          disabled={target === null}
          loading={isBusy}
          onClick={() => target !== null && void move(target)}
        >
          {t('submission:grouping.moveAction', { count: chosen.length })}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

/** The label of the button around an image: it contains all visible text. */
export function openLabel({ removedAt }: Pick<Image, 'removedAt'>, name: string): string {
  return removedAt === null
    ? t('submission:images.open', { what: name })
    : t('submission:images.openRemoved', {
        what: name,
        removed: t('part:removed', { day: formatDay(removedAt) }),
      })
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
        {value && cases.length === 0 && <p className={css.nothing}>{t('submission:grouping.noCases')}</p>}
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
