{{- define "culprit.name" -}}
{{- printf "%s" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "culprit.labels" -}}
app.kubernetes.io/name: culprit
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "culprit.selector" -}}
app.kubernetes.io/name: culprit
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
