#!/bin/sh
# Makes the bucket of the pictures if there is none, lets pages of PUBLIC_URL load from it, and has what a lost row would leave
# behind expire. Can be repeated at any time.
set -eu
AWS_ACCESS_KEY_ID=$(cat "$S3_ACCESS_KEY_ID_FILE")
AWS_SECRET_ACCESS_KEY=$(cat "$S3_SECRET_ACCESS_KEY_FILE")
AWS_DEFAULT_REGION=${S3_REGION:-us-east-1}
export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_DEFAULT_REGION

s3() {
  command=$1
  shift
  aws --endpoint-url "$S3_ENDPOINT" s3api "$command" --bucket "$S3_BUCKET" "$@"
}

s3 head-bucket 2>/dev/null || s3 create-bucket
s3 put-bucket-cors --cors-configuration "{
  \"CORSRules\": [
    { \"AllowedOrigins\": [\"$PUBLIC_URL\"], \"AllowedMethods\": [\"GET\", \"HEAD\"], \"AllowedHeaders\": [\"*\"], \"MaxAgeSeconds\": 86400 }
  ]
}"
s3 put-bucket-lifecycle-configuration --lifecycle-configuration '{
  "Rules": [
    { "ID": "jobs", "Status": "Enabled", "Filter": { "Prefix": "jobs/" }, "Expiration": { "Days": 3 } },
    { "ID": "exports", "Status": "Enabled", "Filter": { "Prefix": "exports/" }, "Expiration": { "Days": 3 } }
  ]
}'
echo "The bucket $S3_BUCKET is set up."
