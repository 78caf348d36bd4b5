import os

from fastapi import FastAPI

app = FastAPI()


@app.get("/")
def hello():
    return {"message": f"Hello from Slipway, {os.environ.get('WHO', 'world')}!"}
