import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'

export type ClearFiltersProps = {
  readonly label: string
  /** False where there is nothing to clear. */
  readonly isFiltered: boolean
  readonly onClear: () => void
}

/** Back to all lines of a list. It keeps its place where there is nothing to clear, so that the filters beside it do not move. */
export function ClearFilters({ label, isFiltered, onClear }: ClearFiltersProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconFilterOff size={17} aria-hidden />}
      disabled={!isFiltered}
      onClick={onClear}
    >
      {label}
    </Button>
  )
}
