/** The centers of the service: their names, and the choice of one of them. */
import { NativeSelect } from '@mantine/core'
import { t } from '../i18n/i18n.ts'
import { useAnswer } from '../store/use-station.ts'

/** The list of the service, and the name of each center. */
export function useCenters() {
  const answer = useAnswer('centers.list', {})
  const centers = answer.value?.items ?? []
  const nameOf = (id: string | null): string => {
    if (id === null) return t('shell:center.none')
    return centers.find(({ centerId }) => centerId === id)?.name ?? t('shell:center.unnamed', { id })
  }
  return { ...answer, centers, nameOf }
}

type CenterSelectProps = {
  readonly label: string
  readonly from: ReturnType<typeof useCenters>
  /** Not offered. */
  readonly except: string | null
  readonly chosenId: string | null
  readonly isDisabled?: boolean
  readonly onChoose: (centerId: string | null) => void
}

export function CenterSelect({ label, from, except, chosenId, isDisabled, onChoose }: CenterSelectProps) {
  const { value, failure, centers, nameOf } = from
  return (
    <NativeSelect
      label={label}
      data-autofocus
      disabled={isDisabled ?? false}
      value={chosenId ?? ''}
      data={[
        { value: '', label: t(value || failure ? 'decision:moveToCenter.choose' : 'shell:center.loading') },
        ...centers
          .filter(({ centerId }) => centerId !== except)
          .map(({ centerId, name }) => ({
            value: centerId,
            label: name === null ? nameOf(centerId) : `${name} (${centerId})`,
          })),
      ]}
      onChange={(event) => onChoose(event.currentTarget.value || null)}
    />
  )
}
