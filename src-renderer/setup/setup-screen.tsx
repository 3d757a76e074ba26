/** Placeholder. */
export function SetupScreen() {
  return null
}
