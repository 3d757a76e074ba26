; What our installer does besides: electron-builder calls these macros (electron.build/nsis, "Custom NSIS script").

; One data folder for each machine, whoever sits before it: two stations with an outbox of their own would send one
; camera's folder twice. src-main/electron/data-folder.ts looks for it by this name.
!define DATA_FOLDER_NAME "Fundus Courier"
; Kept apart from the program's own key, which every update removes and writes anew.
!define DATA_FOLDER_KEY "Software\Fundus Courier"

!macro customInstall
  ${if} $installMode == "all"
    !insertmacro makeDataFolder
  ${endif}
!macroend

; Closed to everybody but the system, administrators and those who run the station. Who that is, the switch
; /OPERATORS="DOMAIN\Group" says; without it, whoever is signed in at this computer (S-1-5-4), and nobody over the network.
; Well-known accounts stand as numbers: their names differ from language to language.
!macro makeDataFolder
  Push $R6
  Push $R7
  Push $R8
  Push $R9
  ; Of all users, where this is called: %ProgramData%.
  StrCpy $R6 "$APPDATA\${DATA_FOLDER_NAME}"
  ReadRegStr $R7 HKLM "${DATA_FOLDER_KEY}" DataFolder
  ; An administrator may have changed the rights since: they are set once. The policy's are set each time, below.
  ${if} $R7 != $R6
    ${GetParameters} $R8
    ClearErrors
    ${GetOptions} $R8 "/OPERATORS=" $R7
    ${if} ${Errors}
      StrCpy $R7 "*S-1-5-4"
    ${endif}
    CreateDirectory "$R6"
    ; Any account may make a folder in %ProgramData%: whoever made it before owns it no more.
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /setowner *S-1-5-32-544 /T /C /Q'
    Pop $R9
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /reset /T /C /Q'
    Pop $R9
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /inheritance:r /grant:r "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F" "$R7:(OI)(CI)(IO)M" /Q'
    Pop $R9
    ; In the folder itself they make files, and cannot put another folder in its place.
    ${if} $R9 == "0"
      nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /grant "$R7:(RC,S,RD,WD,AD,REA,WEA,X,RA,WA)" /Q'
      Pop $R9
    ${endif}
    ${if} $R9 == "0"
      WriteRegStr HKLM "${DATA_FOLDER_KEY}" DataFolder "$R6"
    ${else}
      ; Nobody may read what nobody was allowed to: without rights of its own it is not used.
      RMDir "$R6"
      StrCpy $R6 ""
      MessageBox MB_OK|MB_ICONEXCLAMATION "The data folder $R6 could not be given its rights ($R7). Each account would keep its own cases. Set the rights as the administrator's guide says, or install again." /SD IDOK
    ${endif}
  ${endif}
  ; Whoever may write the policy says what runs here: it is for administrators, also where they lay it only later. The
  ; empty one says nothing.
  ${if} $R6 != ""
    ${ifNot} ${FileExists} "$R6\policy.json"
      FileOpen $R8 "$R6\policy.json" w
      FileWrite $R8 "{}"
      FileClose $R8
    ${endif}
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6\policy.json" /setowner *S-1-5-32-544 /Q'
    Pop $R9
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6\policy.json" /inheritance:r /grant:r "*S-1-5-18:F" "*S-1-5-32-544:F" "*S-1-5-32-545:R" /Q'
    Pop $R9
  ${endif}
  Pop $R9
  Pop $R8
  Pop $R7
  Pop $R6
!macroend

; The cases stay. What would start a program that is not there any more goes, for every account that is signed in; an
; update removes the old program, too, and leaves it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    Push $R6
    Push $R7
    StrCpy $R6 0
    ${do}
      EnumRegKey $R7 HKU "" $R6
      ${if} $R7 == ""
        ${break}
      ${endif}
      DeleteRegValue HKU "$R7\Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
      DeleteRegValue HKU "$R7\Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
      IntOp $R6 $R6 + 1
    ${loop}
    Pop $R7
    Pop $R6
  ${endif}
!macroend
