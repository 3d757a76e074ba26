/** Which images are one case: some go to a case of their own or to another one, or two cases are joined. */
import { Group, Loader, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Caution, moveFocus, SmallButton } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import type { Image, Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { UNSENT_STATES } from '../../src-shared/states.ts'
import { EyeMark, CaseBadge } from '../components/badges.tsx'
import { baseName, type BoardImage, Photo } from '../components/photo.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { namesNow, useNames } from '../privacy/names.tsx'
import { goTo } from '../shell/navigation.tsx'
import { showToast } from '../shell/toast.tsx'
import { type StationSession, upsertSubmission } from '../store/store.ts'
import { useAnswer, useCall, useSession } from '../store/use-station.ts'
import { filesFirst, hasOpenFiles } from './add-images.tsx'
import { hasDraft } from './drafts.ts'
import { useCase } from './form.ts'
import photoCss from '../components/photo.module.css'
import imagesCss from './patients-question.module.css'
import css from './regroup.module.css'

type GroupingBarProps = {
  readonly shown: readonly BoardImage[]
  readonly chosen: readonly Image[]
  readonly onMoved: () => void
}

/** The actions on selected images. Its height is constant, so that nothing moves when one is selected. */
export function GroupingBar({ shown, chosen, onMoved }: GroupingBarProps) {
  const [isOpen, dialog] = useDisclosure(false)
  // While the dialog fades out, it stays the same.
  const [kind, setKind] = useState<'split' | 'move'>('split')
  const ask = (which: typeof kind): void => {
    setKind(which)
    dialog.open()
  }
  const isAll = chosen.length === shown.length
  if (chosen.length === 0) return <span className="small dim">{t('submission:images.eyeKeys')}</span>
  return (
    <Group
      gap={6}
      flex={1}
      justify="flex-end"
      role="toolbar"
      aria-label={t('queue:selected', { count: chosen.length })}
    >
      <SmallButton
        disabled={isAll}
        title={isAll ? t('submission:grouping.splitAll') : undefined}
        onClick={() => ask('split')}
      >
        {t('submission:grouping.split')}
      </SmallButton>
      <SmallButton onClick={() => ask('move')}>{t('submission:grouping.move')}</SmallButton>
      <RegroupDialog
        opened={isOpen}
        kind={kind}
        chosen={chosen}
        isEmptied={isAll}
        onClose={dialog.close}
        onMoved={onMoved}
      />
    </Group>
  )
}

const CAUTIONS = {
  numbers: ['history_number'],
  names: ['last_name', 'first_name'],
  days: ['visit_date'],
} as const

type MergeCaution = keyof typeof CAUTIONS

/** The facts in which the cases differ. A missing fact is not a difference. */
export function mergeCautions(submissions: readonly Pick<Submission, 'fields'>[]): readonly MergeCaution[] {
  const isSeveral = (name: (typeof CAUTIONS)[MergeCaution][number]): boolean =>
    new Set(submissions.flatMap(({ fields }) => fields[name]?.trim().toLowerCase() || [])).size > 1
  return (Object.keys(CAUTIONS) as MergeCaution[]).filter((caution) => CAUTIONS[caution].some(isSeveral))
}

function ChosenImages({ images }: { readonly images: readonly Image[] }) {
  const names = useNames()
  return (
    <ul role="list" className={imagesCss.images}>
      {images.map((image) => {
        const path = names.fileName(image.fileName)
        return (
          <li key={image.id} className={imagesCss.image}>
            <Photo image={image} className={photoCss.whole} />
            <span className={imagesCss.caption} title={path}>
              <EyeMark eye={image.eye} />
              <span className="truncate">{baseName(path)}</span>
            </span>
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
  readonly kind: 'split' | 'move' | 'join'
  /** The images that go; of cases that are joined, none. */
  readonly chosen?: readonly Image[]
  /** Would no image stay here? */
  readonly isEmptied?: boolean
  readonly onClose: () => void
  readonly onMoved?: () => void
}

export function RegroupDialog({ opened, ...of }: RegroupFormProps & { readonly opened: boolean }) {
  const { kind, onClose } = of
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size={kind === 'split' ? 'md' : 'lg'}
      title={t(`submission:grouping.${kind}`)}
    >
      <RegroupForm {...of} />
    </Dialog>
  )
}

/** Names the images, both cases and what becomes of them before any of it happens. */
function RegroupForm({ kind, chosen = [], isEmptied = false, onClose, onMoved }: RegroupFormProps) {
  const { details, asShown, take } = useCase()
  const session = useSession()
  const names = useNames()
  const [target, setTarget] = useState<Submission | null>(null)
  const { isBusy, failure, setFailure, call } = useCall()
  const close = (): void => {
    onClose()
    onMoved?.()
  }
  const split = async (): Promise<void> => {
    const result = await call('submissions.split', { ...asShown(), imageIds: chosen.map(({ id }) => id) })
    if (!result) return
    const { kept, made } = result
    close()
    take(kept)
    showToast({
      message: t('submission:grouping.splitDone', { reference: made.reference }),
      action: { label: t('shell:openIt'), run: () => goTo({ screen: 'submission', id: made.id }) },
    })
  }
  const move = async (to: Submission): Promise<void> => {
    if (isEmptied && hasOpenFiles(details.id)) return setFailure(filesFirst())
    const moved = await call('submissions.moveImages', moveInput(details, chosen, to))
    if (!moved) return
    close()
    showMoved(session, moved, isEmptied)
  }
  // The oldest keeps its reference, and the other becomes part of it.
  const joined = target && [details, target].toSorted((one, other) => one.addedAt - other.addedAt)
  const join = async (cases: readonly Submission[]): Promise<void> => {
    // The draft would be lost with its case.
    const unsaved = cases.find(({ id }) => hasDraft(id))
    if (unsaved)
      return setFailure({
        kind: 'notAllowed',
        message: t('queue:merge.unsaved', { who: names.patientLabel(unsaved.fields) }),
      })
    if (cases.some(({ id }) => hasOpenFiles(id))) return setFailure(filesFirst())
    const merged = await call('submissions.merge', {
      ids: cases.map(({ id }) => id),
      seen: Object.fromEntries(cases.map(({ id, digest }) => [id, digest])),
      ...currentSignature(),
    })
    if (!merged) return
    close()
    if (merged.id === details.id) take(merged)
    showMoved(session, merged, merged.id !== details.id)
  }
  const act = (): void => {
    if (kind === 'split') void split()
    else if (kind === 'move' && target) void move(target)
    else if (joined) void join(joined)
  }
  const [to, from] = (kind === 'join' && joined ? joined : [target, details]).map(
    (one) =>
      one &&
      joinTexts(
        names.patientLabel(one.fields),
        one.fields.visit_date && formatCalendarDay(one.fields.visit_date),
      ),
  )
  return (
    <Stack>
      {chosen.length > 0 && <ChosenImages images={chosen} />}
      {kind !== 'split' && <CaseChoice chosenId={target?.id ?? null} onChoose={setTarget} />}
      <Text mih={44} aria-live="polite">
        {kind === 'split'
          ? t('submission:grouping.splitExplain')
          : to && t('submission:grouping.moveExplain', { from, to })}{' '}
        {kind === 'join' && joined?.[0] && t('queue:merge.explain', { reference: joined[0].reference })}
        {kind === 'move' && isEmptied && t('submission:grouping.emptied')}
      </Text>
      {kind === 'join' &&
        mergeCautions(joined ?? []).map((caution) => (
          <Caution key={caution}>{t(`queue:merge.cautions.${caution}`)}</Caution>
        ))}
      <Text>{t('queue:merge.looksAgain')}</Text>
      {failure && (
        <p className="red" role="alert">
          {messageOf(failure)}
        </p>
      )}
      <DialogButtons
        onCancel={onClose}
        isFocused={kind === 'split'}
        disabled={kind !== 'split' && target === null}
        loading={isBusy}
        onClick={act}
      >
        {t(ACTIONS[kind])}
      </DialogButtons>
    </Stack>
  )
}

const ACTIONS = {
  split: 'submission:grouping.split',
  move: 'decision:moveToCenter.action',
  join: 'queue:merge.name',
} as const

const PAUSE_MS = 250
const MAX_CASES = 30

type CaseChoiceProps = {
  readonly chosenId: string | null
  readonly onChoose: (submission: Submission) => void
}

function CaseChoice({ chosenId, onChoose }: CaseChoiceProps) {
  const { details } = useCase()
  const names = useNames()
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
        {value && cases.length === 0 && (
          <Text p={14} c="dimmed">
            {t('queue:empty.search')}
          </Text>
        )}
        {cases.map((one) => (
          <UnstyledButton
            key={one.id}
            data-case={one.id}
            className={css.case}
            aria-pressed={one.id === chosenId}
            onClick={() => onChoose(one)}
          >
            <span className={css.who}>
              <strong className="truncate">{one.fields.history_number ?? t('queue:noHistoryNumber')}</strong>
              <span className="truncate">{names.nameOf(one.fields) ?? t('queue:noName')}</span>
            </span>
            <span className="tabular">
              {one.fields.visit_date ? formatCalendarDay(one.fields.visit_date) : t('field:notKnown')}
            </span>
            <CaseBadge of={one} />
          </UnstyledButton>
        ))}
      </div>
    </Stack>
  )
}
